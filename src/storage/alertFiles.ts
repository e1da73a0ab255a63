import { join } from "node:path";
import * as z from "zod/mini";
import { type OperatingSystem, type Files, thisSystem } from "../files/operatingSystem.ts";
import { replaceFile } from "../files/atomicFiles.ts";
import { FORMAT_VERSION, NewerFormatError, parseVersioned, versioned } from "../files/versioned.ts";
import type { Alert } from "../market/alertRule.ts";
import { account } from "./orders/fields.ts";

const FILE = /^alert-([0-9a-f-]{36})\.json$/;
const decimal = z.string().check(z.regex(/^(?:0|[1-9]\d{0,29})(?:\.\d{1,30})?$/));
const time = z.int().check(z.nonnegative(), z.lte(8.64e15));
/** An alert as it is stored, also inside other records. */
export const alertSchema = z.strictObject({
  id: z.uuid(),
  venue: z.enum(["practice", "live"]),
  origin: z.string().check(z.maxLength(320)),
  account: z.optional(account),
  symbol: z.string().check(z.minLength(1), z.maxLength(64)),
  rule: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.enum(["above", "below"]), price: decimal }),
    z.strictObject({ kind: z.literal("crosses"), price: decimal, towards: z.enum(["above", "below"]) }),
    z.strictObject({ kind: z.literal("within"), low: decimal, high: decimal }),
    z.strictObject({ kind: z.literal("change"), percent: decimal, minutes: z.int().check(z.positive()) }),
  ]),
  repeats: z.boolean(),
  isOn: z.boolean(),
  phase: z.enum(["armed", "waiting", "fired"]),
  armedAt: time,
  fired: z.optional(
    z.strictObject({
      armedAt: time,
      at: time,
      price: z.number(),
      isSeen: z.boolean(),
      isMissed: z.optional(z.boolean()),
    }),
  ),
});
const fileSchema = z.extend(alertSchema, { version: z.literal(FORMAT_VERSION) });

/**
 * Stores each alert in a file of its own, replaced atomically, so that windows that write at the same time lose no
 * alert and a crash leaves no partial file.
 */
export class AlertFiles {
  readonly #directory: string;
  readonly #files: Files;
  readonly #os: OperatingSystem;
  /** Number of alerts in a newer format that were listed last. They are left alone. */
  newer = 0;

  /** Creates the folder (0700); throws if that fails. */
  constructor(directory: string, os = thisSystem) {
    this.#directory = directory;
    this.#os = os;
    this.#files = os.files;
    this.#files.mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  /** All readable alerts, by id. Files that are not alerts are ignored. Throws if the folder cannot be read. */
  list(): Alert[] {
    const names = this.#files.readdirSync(this.#directory).filter((name) => FILE.test(name));
    const found = names.sort().map((name) => this.#read(name));
    this.newer = found.filter((each) => each === "newer").length;
    return found.filter((each) => typeof each === "object");
  }

  /** The stored alert; undefined if it is gone or unreadable. */
  read(id: string): Alert | undefined {
    const found = this.#read(`alert-${id}.json`);
    return found === "newer" ? undefined : found;
  }

  /** Throws if the alert cannot be written; the previous version is then intact. */
  put(alert: Alert): void {
    replaceFile(join(this.#directory, `alert-${alert.id}.json`), JSON.stringify(versioned(alert)), this.#os);
  }

  remove(id: string): void {
    this.#files.rmSync(join(this.#directory, `alert-${id}.json`), { force: true });
  }

  #read(name: string): Alert | "newer" | undefined {
    try {
      const text = String(this.#files.readFileSync(join(this.#directory, name)));
      const { version: _, ...alert } = fileSchema.parse(parseVersioned(text));
      return name === `alert-${alert.id}.json` ? alert : undefined;
    } catch (error) {
      // Otherwise damaged, or deleted by another window since it was listed.
      return error instanceof NewerFormatError ? "newer" : undefined;
    }
  }
}
