/** The journal does not have the record. If this was an intent, the order must not be sent. */
export class JournalError extends Error {
  constructor(message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.name = "JournalError";
  }
}
