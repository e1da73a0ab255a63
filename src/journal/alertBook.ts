import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Alert } from "../market/alert.ts";

const FILE = /^alert-([0-9a-f-]{36})\.json$/;
const FIRED = /^fired-([0-9a-f-]{36})-\d+$/;

const decimal = z.string().check(z.regex(/^(?:0|[1-9]\d{0,29})(?:\.\d{1,30})?$/));
const time = z.int().check(z.nonnegative(), z.lte(8.64e15));
const alertSchema = z.strictObject({
  id: z.uuid(),
  venue: z.enum(["practice", "live"]),
  origin: z.string().check(z.maxLength(320)),
  symbol: z.string().check(z.minLength(1), z.maxLength(64)),
  rule: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.enum(["above", "below"]), price: decimal }),
    z.strictObject({ kind: z.literal("change"), percent: decimal, minutes: z.int().check(z.positive()) }),
  ]),
  repeats: z.boolean(),
  isOn: z.boolean(),
  phase: z.enum(["armed", "waiting", "fired"]),
  armedAt: time,
  round: z.int().check(z.nonnegative()),
  fired: z.optional(z.strictObject({ at: time, price: z.number(), isSeen: z.boolean() })),
});

/**
 * Where alerts are kept: a file each, replaced in one step, so that windows that write at once lose no alert of one
 * another's, and no kill leaves half a file. That a firing is announced is claimed by a file that can be made only once.
 */
export class AlertBook {
  readonly #directory: string;

  /** Makes the folder (0700). Throws where it cannot be made. */
  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  /** All that can be read, by id; a file that is no alert is left where it is, and left out. Throws where the folder cannot be read. */
  list(): Alert[] {
    return readdirSync(this.#directory)
      .filter((name) => FILE.test(name))
      .sort()
      .flatMap((name) => this.#read(name) ?? []);
  }

  /** One as it is kept now; undefined where it is gone or cannot be read. */
  read(id: string): Alert | undefined {
    return this.#read(`alert-${id}.json`);
  }

  /** Throws where it cannot be written; the alert as it was is then still there. */
  put(alert: Alert): void {
    const path = join(this.#directory, `alert-${alert.id}.json`);
    const next = `${path}.${randomBytes(4).toString("hex")}`;
    try {
      writeFileSync(next, JSON.stringify(alert), { mode: 0o600 });
      renameSync(next, path);
    } catch (error) {
      rmSync(next, { force: true });
      throw error;
    }
  }

  remove(id: string): void {
    rmSync(join(this.#directory, `alert-${id}.json`), { force: true });
    for (const name of readdirSync(this.#directory)) {
      if (FIRED.exec(name)?.[1] === id) rmSync(join(this.#directory, name), { force: true });
    }
  }

  /** True for the one, of all windows, that may announce this firing. Throws where the folder cannot be written. */
  claimFiring({ id, round }: Alert): boolean {
    try {
      closeSync(openSync(join(this.#directory, `fired-${id}-${round}`), "wx", 0o600));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
      throw error;
    }
    // The claims of earlier rounds have done their work: a round is never begun again.
    try {
      for (let old = round - 1; old >= Math.max(0, round - 2); old--) {
        rmSync(join(this.#directory, `fired-${id}-${old}`), { force: true });
      }
    } catch {
      // Left for `remove`: this firing is claimed, and nobody else will announce it.
    }
    return true;
  }

  #read(name: string): Alert | undefined {
    try {
      const read = alertSchema.safeParse(JSON.parse(readFileSync(join(this.#directory, name), "utf8")));
      return read.success && name === `alert-${read.data.id}.json` ? read.data : undefined;
    } catch {
      // Removed by another window since it was listed, or damaged.
      return undefined;
    }
  }
}
