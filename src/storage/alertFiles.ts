import { join } from "node:path";
import * as z from "zod/mini";
import { type Computer, type Files, thisComputer } from "../files/computer.ts";
import { createFile, replaceFile } from "../files/atomicFiles.ts";
import type { Alert } from "../market/alertRule.ts";

const FILE = /^alert-([0-9a-f-]{36})\.json$/;
/** The other files of an alert: firings, and unfinished writes of killed windows. */
const COMPANION = /^(?:fired-|telling-|alert-)([0-9a-f-]{36})(?:-[\d.]+|\.json\.[0-9a-f]{8})$/;

/**
 * How long a claim keeps other windows from announcing. Announcing takes far less, so an older claim belongs to a dead
 * or frozen window.
 */
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
 * Stores each alert in a file of its own, replaced atomically, so that windows that write at the same time lose no
 * alert and a crash leaves no partial file.
 *
 * A firing has two more files. `telling-ID-ROUND.N` is the N-th claim to announce it; the newest claim is valid for
 * CLAIM_MS. `fired-ID-ROUND` records that it was announced. If a window dies between the two, its claim expires and
 * another window announces the alert. ROUND is the number of earlier firings.
 */
export class AlertFiles {
  readonly #directory: string;
  readonly #files: Files;
  readonly #computer: Computer;

  /** Creates the folder (0700); throws if that fails. */
  constructor(directory: string, computer = thisComputer) {
    this.#directory = directory;
    this.#computer = computer;
    this.#files = computer.files;
    this.#files.mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  /** All readable alerts, by id. Files that are not alerts are ignored. Throws if the folder cannot be read. */
  list(): Alert[] {
    return this.#files
      .readdirSync(this.#directory)
      .filter((name) => FILE.test(name))
      .sort()
      .flatMap((name) => this.#read(name) ?? []);
  }

  /** The stored alert; undefined if it is gone or unreadable. */
  read(id: string): Alert | undefined {
    return this.#read(`alert-${id}.json`);
  }

  /** Throws if the alert cannot be written; the previous version is then intact. */
  put(alert: Alert): void {
    replaceFile(join(this.#directory, `alert-${alert.id}.json`), JSON.stringify(alert), this.#computer);
  }

  remove(id: string): void {
    this.#files.rmSync(join(this.#directory, `alert-${id}.json`), { force: true });
    for (const name of this.#files.readdirSync(this.#directory)) {
      if (COMPANION.exec(name)?.[1] === id) this.#files.rmSync(join(this.#directory, name), { force: true });
    }
  }

  /** Whether the alert's latest firing was announced. */
  isAnnounced({ id, round }: Alert): boolean {
    return this.#files.existsSync(this.#announcedPath(id, round - 1));
  }

  /**
   * Claims the right to announce the alert's latest firing. "mine": this window must announce it now. "announced": it
   * already was. A number: retry in so many ms. `now` returns ms since the epoch. Throws if the folder cannot be
   * written.
   */
  claimAnnouncement(alert: Alert, now: () => number): "mine" | "announced" | number {
    const began = now();
    if (this.isAnnounced(alert)) return "announced";
    const firing = alert.round - 1;
    const claims = this.#claims(alert.id, firing);
    const newest = claims.at(-1);
    // A claim in the future predates a clock change, so its age is unknown.
    const ageMs = newest === undefined ? CLAIM_MS : Math.abs(began - newest);
    if (ageMs < CLAIM_MS) return CLAIM_MS - ageMs;
    if (!createFile(this.#claimPath(alert.id, firing, claims.length), "", this.#files)) return CLAIM_MS;
    // A slow window announced it after the first check.
    if (this.isAnnounced(alert)) return "announced";
    // If this process was suspended in between, another window may already take over the claim.
    return Math.abs(now() - began) < CLAIM_MS / 2 ? "mine" : CLAIM_MS;
  }

  /** Records that the alert's latest firing was announced. Throws if the folder cannot be written. */
  recordAnnounced({ id, round }: Alert): void {
    createFile(this.#announcedPath(id, round - 1), "", this.#files);
    try {
      for (let firing = round - 1; firing >= Math.max(0, round - 3); firing--) {
        for (const claim of this.#claims(id, firing).keys()) {
          this.#files.rmSync(this.#claimPath(id, firing, claim), { force: true });
        }
        if (firing < round - 1) this.#files.rmSync(this.#announcedPath(id, firing), { force: true });
      }
    } catch {
      // Leftovers do no harm; `remove` deletes them.
    }
  }

  #announcedPath(id: string, firing: number): string {
    return join(this.#directory, `fired-${id}-${firing}`);
  }

  #claimPath(id: string, firing: number, claim: number): string {
    return join(this.#directory, `telling-${id}-${firing}.${claim}`);
  }

  /** When each claim on a firing was made, ms since the epoch. */
  #claims(id: string, firing: number): number[] {
    const times: number[] = [];
    for (;;) {
      const file = this.#files.statSync(this.#claimPath(id, firing, times.length), { throwIfNoEntry: false });
      if (!file) return times;
      times.push(file.mtimeMs);
    }
  }

  #read(name: string): Alert | undefined {
    try {
      const read = alertSchema.safeParse(
        JSON.parse(String(this.#files.readFileSync(join(this.#directory, name)))),
      );
      return read.success && name === `alert-${read.data.id}.json` ? read.data : undefined;
    } catch {
      // Damaged, or deleted by another window since it was listed.
      return undefined;
    }
  }
}
