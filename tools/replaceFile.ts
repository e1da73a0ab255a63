import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Replaces a file in one step: a program that reads the file, or writes it too, never finds a part of it. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const unfinished = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}
