import { numberSource } from "../../market/exactJson.ts";
import type { OrderKind, Refusal } from "../account/rules.ts";
import type { Market } from "../market/market.ts";
import type { Generation } from "./routes.ts";

/** The named fields of a request: the object of its body, or its query. */
export type Fields = Readonly<Record<string, unknown>>;

/** An order as a request names it. */
export interface OrderReference {
  readonly symbol: string;
  /** Undefined for an id that this exchange never gives. */
  readonly id: number | undefined;
  readonly kind: OrderKind;
}

/** Below this a time is in seconds, else in ms. */
const FIRST_MS = 1e11;
const SIDES: ReadonlyMap<unknown, OrderKind> = new Map([
  ["buy", "bid"],
  ["sell", "ask"],
]);

/**
 * The listed pair that `sym` names: quote first in generation A, base first in any letter case in the others. Refused
 * with 10 if it is missing, with 11 if no such pair is listed.
 */
export function symbolIn(fields: Fields, market: Market, generation: Generation): string | Refusal {
  if (!Object.hasOwn(fields, "sym")) return { code: 10, message: "The field sym is missing." };
  const symbol = ownSymbol(fields["sym"], generation);
  return typeof symbol === "string" && market.find(symbol) ? symbol : { code: 11, message: "No such pair." };
}

/** A name of a pair in generation A's form; anything else as it is. */
export function ownSymbol(name: unknown, generation: Generation): unknown {
  if (generation === "A" || typeof name !== "string") return name;
  const parts = name.toUpperCase().split("_");
  return parts.length === 2 ? parts.toReversed().join("_") : "";
}

/** `{"sym","id","sd"}`. Refused with 10 if a field is missing, 11 for a wrong pair, 22 for a wrong side. */
export function readReference(
  fields: Fields,
  market: Market,
  generation: Generation,
): OrderReference | Refusal {
  for (const field of ["sym", "id", "sd"]) {
    if (!Object.hasOwn(fields, field)) return { code: 10, message: `The field ${field} is missing.` };
  }
  const symbol = symbolIn(fields, market, generation);
  if (typeof symbol !== "string") return symbol;
  const kind = SIDES.get(fields["sd"]);
  if (!kind) return { code: 22, message: "The side must be buy or sell." };
  const id = numberSource(fields["id"]);
  return { symbol, kind, id: /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined };
}

/** A whole number from 1 to `most`; `usual` if there is none. A larger one is `most`. */
export function readCount(value: unknown, usual: number, most: number): number {
  const digits = numberSource(value);
  return /^[1-9]\d{0,8}$/.test(digits) ? Math.min(Number(digits), most) : usual;
}

/** A time in ms from seconds or ms; undefined if there is none. `end` takes the whole of a second. */
export function readTime(value: unknown, edge: "start" | "end"): number | undefined {
  const digits = numberSource(value);
  if (!/^\d{1,15}$/.test(digits)) return undefined;
  const time = Number(digits);
  if (time >= FIRST_MS) return time;
  return time * 1000 + (edge === "end" ? 999 : 0);
}
