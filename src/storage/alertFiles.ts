import { join } from "node:path";
import * as z from "zod/mini";
import { type Computer, type Files, thisComputer } from "../files/computer.ts";
import { replaceFile } from "../files/atomicFiles.ts";
import type { Alert } from "../market/alertRule.ts";

const FILE = /^alert-([0-9a-f-]{36})\.json$/;
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
  fired: z.optional(z.strictObject({ armedAt: time, at: time, price: z.number(), isSeen: z.boolean() })),
});

/**
 * Stores each alert in a file of its own, replaced atomically, so that windows that write at the same time lose no
 * alert and a crash leaves no partial file.
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
    const file = `alert-${id}.json`;
    this.#files.rmSync(join(this.#directory, file), { force: true });
    for (const name of this.#files.readdirSync(this.#directory)) {
      // Left by a window that was killed while it wrote.
      if (name.startsWith(`${file}.`)) this.#files.rmSync(join(this.#directory, name), { force: true });
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
