import { repeatedKeys } from "./wire/repeatedKeys.ts";

interface JsonFile {
  readonly value: unknown;
  /** Paths of duplicate keys. A human may read the first value, while the parser uses the last. */
  readonly repeated: readonly string[];
}

/** Parses a file that a user chose; undefined if it is not JSON in UTF-8. */
export function parseJsonFile(bytes: Uint8Array): JsonFile | undefined {
  try {
    const source = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(source);
    return { value, repeated: repeatedKeys(source).map((keys) => keys.join(".")) };
  } catch {
    return undefined;
  }
}
