import * as z from "zod/mini";
import { thisSystem } from "../files/operatingSystem.ts";
import { FORMAT_VERSION } from "../files/versioned.ts";
import type { Alert } from "../market/alertRule.ts";
import { account } from "./orders/fields.ts";
import { RecordFiles } from "./recordFiles.ts";

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
    z.strictObject({
      kind: z.literal("volume"),
      volume: decimal,
      asset: z.string().check(z.minLength(1), z.maxLength(64)),
    }),
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

/** The alerts of this computer. */
export class AlertFiles extends RecordFiles<Alert> {
  /** Creates the folder (0700); throws if that fails. */
  constructor(directory: string, os = thisSystem) {
    super(directory, { name: "alert", parse: (fields) => fileSchema.parse(fields) }, os);
  }
}
