/** The content of a successful response. */
export interface Payload {
  /** The envelope's `result` (api.md 2.1) or `data` (newest generation), or the whole response without an envelope. */
  readonly content: unknown;
  /** Whether an envelope reported success. */
  readonly enveloped: boolean;
  readonly status: number;
  /** Duplicate keys in the content, and keys that contain such: only one of their values was parsed. */
  readonly repeated?: ReadonlySet<string>;
  /** The envelope's pagination, beside its result. */
  readonly pagination?: unknown;
}
