import type { OrderKind, PracticeRefusal } from "../account/rules.ts";
import type { Market } from "../market/market.ts";
import { digitsIn } from "../json.ts";
import type { PracticeGeneration } from "./routes.ts";

/** Fields of a request: its JSON body, or its query. */
export type Fields = Readonly<Record<string, unknown>>;

/** An order as named in a request. */
export interface OrderReference {
  readonly symbol: string;
  /** Undefined for an id that this exchange never assigns. */
  readonly id: number | undefined;
  readonly kind: OrderKind;
}

/** Smaller times are in seconds, others in ms. */
const FIRST_MS = 1e11;
const SIDES: ReadonlyMap<unknown, OrderKind> = new Map([
  ["buy", "bid"],
  ["sell", "ask"],
]);

/**
 * The listed pair named by `sym`: quote first in generation A, base first in any case in the others. Rejected with 10 if
 * missing, with 11 if not listed.
 */
export function symbolIn(
  fields: Fields,
  market: Market,
  generation: PracticeGeneration,
): string | PracticeRefusal {
  if (!Object.hasOwn(fields, "sym")) return { code: 10, message: "The field sym is missing." };
  const symbol = ownSymbol(fields["sym"], generation);
  return typeof symbol === "string" && market.find(symbol) ? symbol : { code: 11, message: "No such pair." };
}

/** Converts a pair name to generation A's form; returns anything else unchanged. */
export function ownSymbol(name: unknown, generation: PracticeGeneration): unknown {
  if (generation === "A" || typeof name !== "string") return name;
  const parts = name.toUpperCase().split("_");
  return parts.length === 2 ? parts.toReversed().join("_") : "";
}

/** Parses `{"sym","id","sd"}`. Rejected with 10 if a field is missing, 11 for an unknown pair, 22 for an invalid side. */
export function readReference(
  fields: Fields,
  market: Market,
  generation: PracticeGeneration,
): OrderReference | PracticeRefusal {
  for (const field of ["sym", "id", "sd"]) {
    if (!Object.hasOwn(fields, field)) return { code: 10, message: `The field ${field} is missing.` };
  }
  const symbol = symbolIn(fields, market, generation);
  if (typeof symbol !== "string") return symbol;
  const kind = SIDES.get(fields["sd"]);
  if (!kind) return { code: 22, message: "The side must be buy or sell." };
  const id = digitsIn(fields["id"]);
  return { symbol, kind, id: /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined };
}

/** An integer from 1 to `most`, clamped; `usual` if missing. */
export function readCount(value: unknown, usual: number, most: number): number {
  const digits = digitsIn(value);
  return /^[1-9]\d{0,8}$/.test(digits) ? Math.min(Number(digits), most) : usual;
}

/** A time in seconds or ms, as ms; undefined if missing. `end` extends seconds to their last ms. */
export function readTime(value: unknown, edge: "start" | "end"): number | undefined {
  const digits = digitsIn(value);
  if (!/^\d{1,15}$/.test(digits)) return undefined;
  const time = Number(digits);
  if (time >= FIRST_MS) return time;
  return time * 1000 + (edge === "end" ? 999 : 0);
}
