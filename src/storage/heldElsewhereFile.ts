import { dirname } from "node:path";
import * as z from "zod/mini";
import { replaceFile } from "../files/atomicFiles.ts";
import { hasCode } from "../files/hasCode.ts";
import { thisSystem } from "../files/operatingSystem.ts";
import { FORMAT_VERSION, parseVersioned, versioned } from "../files/versioned.ts";
import { type HeldElsewhere, isPlace, MAX_HELD_ELSEWHERE } from "../market/holdings/heldElsewhere.ts";
import { Decimal, plainText } from "../market/numbers/decimal.ts";
import { assetPattern } from "../market/pair.ts";

const decimal = z.string().check(z.regex(/^(?:0|[1-9]\d{0,29})(?:\.\d{1,30})?$/));
const asset = z.string().check(z.regex(assetPattern));
const schema = z.strictObject({
  version: z.literal(FORMAT_VERSION),
  holdings: z
    .array(
      z.strictObject({
        id: z.uuid(),
        venue: z.enum(["practice", "live"]),
        asset,
        quantity: decimal.check(z.refine((text) => new Decimal(text).gt("0"))),
        cost: z.optional(z.strictObject({ asset, amount: decimal })),
        place: z.string().check(z.refine(isPlace)),
      }),
    )
    .check(
      z.maxLength(MAX_HELD_ELSEWHERE),
      // One id in two entries would count one holding twice.
      z.refine((all) => new Set(all.map(({ id }) => id)).size === all.length),
    ),
});

/** The file of the holdings that the user entered. All windows share it. */
export class HeldElsewhereFile {
  readonly #path: string;
  readonly #os: typeof thisSystem;

  constructor(path: string, os = thisSystem) {
    this.#path = path;
    this.#os = os;
  }

  /**
   * No holding if there is no file. Throws if it cannot be read, is damaged, or has a newer format: a part of it would
   * make a total that is too low.
   */
  read(): HeldElsewhere[] {
    let text: string;
    try {
      text = String(this.#os.files.readFileSync(this.#path));
    } catch (error) {
      if (hasCode(error, "ENOENT")) return [];
      throw error;
    }
    return schema.parse(parseVersioned(text)).holdings.map(({ quantity, cost, ...rest }) => ({
      ...rest,
      quantity: new Decimal(quantity),
      cost: cost && { asset: cost.asset, amount: new Decimal(cost.amount) },
    }));
  }

  /** Replaces the file atomically. Throws if an entry is invalid or the disk fails; the file is then unchanged. */
  write(all: readonly HeldElsewhere[]): void {
    const holdings = all.map(({ id, venue, asset: name, quantity, cost, place }) => ({
      id,
      venue,
      asset: name,
      quantity: plainText(quantity),
      ...(cost && { cost: { asset: cost.asset, amount: plainText(cost.amount) } }),
      place,
    }));
    const content = schema.parse(versioned({ holdings }));
    this.#os.files.mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    replaceFile(this.#path, `${JSON.stringify(content, undefined, 2)}\n`, this.#os);
  }
}
