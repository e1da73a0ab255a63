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

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],\n]/g;

/** The line of each key of JSON text by its path, such as `features.depth`, from 1. The text must be valid JSON. */
export function linesOf(source: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const path: unknown[] = [];
  let line = 1;
  let isKeyNext = false;
  for (const [token] of source.matchAll(TOKEN)) {
    if (token === "\n") line += 1;
    else if (token === "{" || token === "[") path.push(token === "{" ? "" : 0);
    else if (token === "}" || token === "]") path.pop();
    else if (token === "," && typeof path.at(-1) === "number") path.push(Number(path.pop()) + 1);
    else if (isKeyNext) {
      path.splice(-1, 1, JSON.parse(token));
      lines.set(path.join("."), line);
    }
    if (token !== "\n") isKeyNext = token === "{" || (token === "," && typeof path.at(-1) === "string");
  }
  return lines;
}
