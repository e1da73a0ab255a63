import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Alert } from "../market/alert.ts";

const FILE = /^alert-([0-9a-f-]{36})\.json$/;
/** All else of an alert: its firings, and what a window that was killed left of a write. */
const BESIDE = /^(?:fired-|telling-|alert-)([0-9a-f-]{36})(?:-[\d.]+|\.json\.[0-9a-f]{8})$/;

/** How long a claim to tell keeps others from telling: telling takes far less, so its window is dead or frozen by then. */
export const CLAIM_MS = 2000;

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
 * another's, and no kill leaves half a file.
 *
 * A firing has two files of its own. `telling-ID-ROUND.N` is the N-th claim to tell the person of it; the newest claim
 * counts, for CLAIM_MS. `fired-ID-ROUND` says that the person was told. A window that dies between the two leaves a
 * claim that grows old, and another window tells. ROUND is the number of firings before this one.
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
      if (BESIDE.exec(name)?.[1] === id) rmSync(join(this.#directory, name), { force: true });
    }
  }

  /** Whether the person was told of the newest firing of an alert. */
  isTold({ id, round }: Alert): boolean {
    return existsSync(this.#told(id, round - 1));
  }

  /**
   * Claims to tell the person of the newest firing of an alert: "mine" for the one window that is to tell now, before it
   * does anything else; "told" where that was done; else in how many ms to ask again. `now` gives ms since the epoch.
   * Throws where the folder cannot be written.
   */
  claimTelling(alert: Alert, now: () => number): "mine" | "told" | number {
    const began = now();
    if (this.isTold(alert)) return "told";
    const firing = alert.round - 1;
    const claims = this.#claims(alert.id, firing);
    const newest = claims.at(-1);
    // A claim of a time to come was made before the clock was set back: nothing tells how old it is.
    const ageMs = newest === undefined ? CLAIM_MS : Math.abs(began - newest);
    if (ageMs < CLAIM_MS) return CLAIM_MS - ageMs;
    if (!create(this.#claim(alert.id, firing, claims.length))) return CLAIM_MS;
    // Told after the first look, by a window that was slow.
    if (this.isTold(alert)) return "told";
    // This process stood still meanwhile: the claim may be taken over at any moment.
    return Math.abs(now() - began) < CLAIM_MS / 2 ? "mine" : CLAIM_MS;
  }

  /** Records that the person was told of the newest firing of an alert. Throws where the folder cannot be written. */
  recordTold({ id, round }: Alert): void {
    create(this.#told(id, round - 1));
    try {
      for (let firing = round - 1; firing >= Math.max(0, round - 3); firing--) {
        for (const claim of this.#claims(id, firing).keys()) {
          rmSync(this.#claim(id, firing, claim), { force: true });
        }
        if (firing < round - 1) rmSync(this.#told(id, firing), { force: true });
      }
    } catch {
      // Left for `remove`: the record above is all that counts.
    }
  }

  #told(id: string, firing: number): string {
    return join(this.#directory, `fired-${id}-${firing}`);
  }

  #claim(id: string, firing: number, claim: number): string {
    return join(this.#directory, `telling-${id}-${firing}.${claim}`);
  }

  /** When each claim to tell of a firing was made, ms since the epoch. */
  #claims(id: string, firing: number): number[] {
    const times: number[] = [];
    for (;;) {
      const file = statSync(this.#claim(id, firing, times.length), { throwIfNoEntry: false });
      if (!file) return times;
      times.push(file.mtimeMs);
    }
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

/** Creates an empty file; false where it is there already, so that of several windows one creates it. */
function create(path: string): boolean {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
