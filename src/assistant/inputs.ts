import * as z from "zod/mini";
import { intervalNames } from "../market/intervals.ts";
import type { ToolName } from "./access.ts";

// These schemas match the JSON schemas in package.json, which also describe each field. Money is passed as text, because a JSON
// number may lose digits.

/** `BTC/THB`, or the exchange's symbol. */
const pair = z.string().check(z.minLength(1), z.maxLength(64));
const decimal = z.string().check(z.minLength(1), z.maxLength(60));
const count = (most: number) => z.optional(z.int().check(z.minimum(1), z.maximum(most)));

export const inputs = {
  bidside_markets: z.strictObject({
    pair: z.optional(pair),
    filter: z.optional(z.string().check(z.maxLength(40))),
    sort: z.optional(z.enum(["volume", "rise", "fall", "move", "name"])),
    limit: count(50),
  }),
  bidside_candles: z.strictObject({
    pair,
    interval: z.enum(intervalNames),
    limit: count(200),
  }),
  bidside_book: z.strictObject({ pair, levels: count(50) }),
  bidside_alerts: z.strictObject({
    add: z.optional(
      z.strictObject({
        pair,
        kind: z.enum(["above", "below", "change"]),
        price: z.optional(decimal),
        percent: z.optional(decimal),
        minutes: z.optional(z.int().check(z.minimum(1), z.maximum(1440))),
        repeats: z.optional(z.boolean()),
      }),
    ),
  }),
  bidside_account: z.strictObject({}),
  bidside_orders: z.strictObject({ pair: z.optional(pair), limit: count(50) }),
  bidside_prepareOrder: z.strictObject({
    side: z.enum(["buy", "sell"]),
    pair,
    amount: z.optional(decimal),
    quantity: z.optional(decimal),
    rate: decimal,
    postOnly: z.optional(z.boolean()),
  }),
} as const satisfies Record<ToolName, z.ZodMiniType>;

export type Input<Name extends ToolName> = z.infer<(typeof inputs)[Name]>;
