import * as z from "zod/mini";
import { replaceFile } from "../files/atomicFiles.ts";
import { thisSystem } from "../files/operatingSystem.ts";
import { FORMAT_VERSION, parseVersioned, versioned } from "../files/versioned.ts";

const schema = z.object({
  version: z.literal(FORMAT_VERSION),
  at: z.record(z.string(), z.int().check(z.nonnegative(), z.lte(8.64e15))),
});

/** When the prices of each account's exchange were last compared with alerts by any window, in one file. */
export class WatchedTimes {
  readonly #path: string;
  readonly #os: typeof thisSystem;

  constructor(path: string, os = thisSystem) {
    this.#path = path;
    this.#os = os;
  }

  /** ms since the epoch; undefined if unknown. */
  read(account: string): number | undefined {
    return this.#readAll()[account];
  }

  /** Throws if it cannot be written. */
  note(account: string, at: number): void {
    const text = JSON.stringify(versioned({ at: { ...this.#readAll(), [account]: at } }));
    replaceFile(this.#path, text, this.#os);
  }

  #readAll(): Readonly<Record<string, number>> {
    try {
      return schema.parse(parseVersioned(String(this.#os.files.readFileSync(this.#path)))).at;
    } catch {
      // Not written yet, or damaged: then nothing is known.
      return {};
    }
  }
}
