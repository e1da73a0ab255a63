import { hasCode } from "./hasCode.ts";

/** A file in use is waited for a second. */
const MOST_WAITS = 20;
const WAIT_MS = 50;

/** The calls that fail on a file in use. */
interface OpeningCalls {
  readonly openSync: (path: string, flags: string, mode?: number) => unknown;
  readonly readFileSync: (path: string) => unknown;
  readonly renameSync: (from: string, to: string) => unknown;
  readonly rmSync: (path: string, options?: never) => unknown;
  readonly writeFileSync: (path: string, content: string | Uint8Array, options: never) => unknown;
}

/**
 * The same files, but one that cannot be opened, read, written, replaced or removed because another program uses it is tried again for a
 * second. For Windows, where virus scanners and indexers open every new file for a moment; elsewhere these errors last.
 * `wait` blocks the process.
 */
export function retryingFiles<Files extends OpeningCalls>(files: Files, wait = block): Files {
  function retrying<Arguments extends readonly unknown[], Result>(
    call: (...given: Arguments) => Result,
  ): (...given: Arguments) => Result {
    return (...given) => {
      for (let waits = 0; ; waits += 1) {
        try {
          return call(...given);
        } catch (error) {
          // Windows reports a file in use as any of these, and a missing permission too.
          if (!hasCode(error, "EBUSY", "EPERM", "EACCES") || waits === MOST_WAITS) throw error;
          wait(WAIT_MS);
        }
      }
    };
  }
  // Inherits all other functions. A copy would load every export.
  return Object.assign(Object.create(files) as Files, {
    openSync: retrying(files.openSync),
    readFileSync: retrying(files.readFileSync),
    renameSync: retrying(files.renameSync),
    rmSync: retrying(files.rmSync),
    writeFileSync: retrying(files.writeFileSync),
  });
}

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
