import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Replaces a file atomically, so that no other reader or writer sees an incomplete one. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const unfinished = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}
