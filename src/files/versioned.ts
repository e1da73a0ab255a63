/** Version of the format of everything that is stored: files, the records in logs, and state in the editor. */
export const FORMAT_VERSION = 1;

/** The file was written by a newer version of Bidside. It is neither read nor changed. */
export class NewerFormatError extends Error {
  override readonly name = "NewerFormatError";

  constructor() {
    super("The file was written by a newer version of Bidside. Update Bidside to use it.");
  }
}

/** An object with the version of its format, to be stored. */
export function versioned<T extends object>(fields: T): T & { readonly version: number } {
  return { version: FORMAT_VERSION, ...fields };
}

/** Whether a stored object states a newer format. */
export function isNewer(stored: unknown): boolean {
  const { version } = (stored ?? {}) as { readonly version?: unknown };
  return typeof version === "number" && version > FORMAT_VERSION;
}

/** Parses a stored object; undefined if it is not JSON. Throws NewerFormatError. */
export function parseVersioned(text: string): unknown {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (isNewer(stored)) throw new NewerFormatError();
  return stored;
}
