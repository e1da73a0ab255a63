import type { Exchange } from "../account/exchange.ts";
import type { Match, PracticeOrder } from "../account/order.ts";
import { fillAt, type OrderKind, type PracticeRefusal } from "../account/rules.ts";
import type { Market } from "../market/market.ts";
import { ownSymbol, readCount, readReference, readTime, symbolIn, type Fields } from "./fields.ts";
import { historyRow, openOrderRow, orderInfoResult, placedResult } from "./orderWire.ts";
import type { PracticeGeneration } from "./routes.ts";
import type { Switches } from "./switches.ts";

/** Fields of a successful response beside `error`. */
export type Success = Readonly<Record<string, unknown>>;

const USUAL_ROWS = 10;
const MOST_ROWS = 100;
const NOT_SUPPORTED: PracticeRefusal = { code: 61, message: "This pair is not supported here." };

/** Handles requests about orders, as configured by the switches. `now` is the exchange's time in ms. */
export class PracticeOrders {
  readonly #exchange: Exchange;
  readonly #market: Market;
  readonly #switches: Readonly<Switches>;

  constructor(exchange: Exchange, market: Market, switches: Readonly<Switches>) {
    this.#exchange = exchange;
    this.#market = market;
    this.#switches = switches;
  }

  /** Throws if the order could not be recorded. */
  place(
    kind: OrderKind,
    fields: Fields,
    generation: PracticeGeneration,
    now: number,
  ): Success | PracticeRefusal {
    const { clientIds, duplicates } = this.#switches;
    const { client_id: given, ...others } = fields;
    const hasId = Object.hasOwn(fields, "client_id") && clientIds !== "dropped";
    const earlier = hasId && duplicates !== "accepted" ? this.#withClientId(given) : undefined;
    if (earlier && duplicates === "refused") return { code: 10, message: "The client_id was used before." };
    if (earlier) return { result: placedResult(earlier.placed, receivedBy(earlier)) };
    const body = {
      ...others,
      ...(Object.hasOwn(fields, "sym") && { sym: ownSymbol(fields["sym"], generation) }),
      ...(hasId && { client_id: given }),
    };
    const placed = this.#exchange.place(kind, body, now);
    return "code" in placed ? placed : { result: placedResult(placed.order, placed.received) };
  }

  /** Throws if the cancellation could not be recorded. */
  cancel(fields: Fields, generation: PracticeGeneration, now: number): Success | PracticeRefusal {
    const order = this.#find(fields, generation);
    if (order && "code" in order) return order;
    const isCancelled = order !== undefined && this.#exchange.cancel(order.placed.id, now);
    return isCancelled ? {} : { code: 21, message: "No such order is open." };
  }

  open(fields: Fields, generation: PracticeGeneration): Success | PracticeRefusal {
    const symbol = this.#supported(fields, generation);
    if (typeof symbol !== "string") return symbol;
    const isBlank = this.#switches.clientIds === "blankInOpenOrders";
    const open = this.#of(symbol).filter(({ closed }) => !closed);
    return {
      result: open
        .toReversed()
        .map((order) => openOrderRow(order, generation, isBlank ? "" : (order.placed.clientId ?? ""))),
    };
  }

  info(fields: Fields, generation: PracticeGeneration, now: number): Success | PracticeRefusal {
    const symbol = this.#supported(fields, generation);
    if (typeof symbol !== "string") return symbol;
    const order = this.#find(fields, generation);
    if (order && "code" in order) return order;
    const { as, at = now } = order?.closed ?? {};
    const isGone = as === "cancelled" && now - at >= this.#switches.cancelledKeptMs;
    return order && !isGone
      ? { result: orderInfoResult(order) }
      : { code: 24, message: "No such order is known." };
  }

  /** Matches of a pair, newest first: by page, or in B by cursor if requested. */
  history(fields: Fields, generation: PracticeGeneration, now: number): Success | PracticeRefusal {
    const symbol = this.#supported(fields, generation);
    if (typeof symbol !== "string") return symbol;
    const from = readTime(fields["start"], "start") ?? 0;
    const until = Math.min(readTime(fields["end"], "end") ?? now, now - this.#switches.historyLagMs);
    const matches = this.#of(symbol)
      .flatMap((order) => order.matches.map((match) => ({ order, match })))
      .filter(({ match: { at } }) => at >= from && at <= until)
      .toSorted(newestFirst);
    const count = readCount(fields["lmt"], USUAL_ROWS, MOST_ROWS);
    const isByCursor = generation !== "A" && fields["pagination_type"] === "keyset";
    const page = isByCursor
      ? pageAfter(matches, fields["cursor"] ?? "", count)
      : pageAt(matches.length, readCount(fields["p"], 1, Number.MAX_SAFE_INTEGER), count);
    if ("code" in page) return page;
    const { first, pagination } = page;
    const rows = matches.slice(first, first + count);
    return { result: rows.map(({ order, match }) => historyRow(order, match, generation)), pagination };
  }

  #of(symbol: string): PracticeOrder[] {
    return [...this.#exchange.orders.values()].filter(({ placed }) => placed.symbol === symbol);
  }

  #withClientId(clientId: unknown): PracticeOrder | undefined {
    if (clientId === "") return undefined;
    return [...this.#exchange.orders.values()].find(({ placed }) => placed.clientId === clientId);
  }

  #find(fields: Fields, generation: PracticeGeneration): PracticeOrder | PracticeRefusal | undefined {
    const reference = readReference(fields, this.#market, generation);
    if ("code" in reference) return reference;
    const { id, symbol, kind } = reference;
    const order = id === undefined ? undefined : this.#exchange.orders.get(id);
    return order?.placed.symbol === symbol && order.placed.kind === kind ? order : undefined;
  }

  #supported(fields: Fields, generation: PracticeGeneration): string | PracticeRefusal {
    const symbol = symbolIn(fields, this.#market, generation);
    return typeof symbol === "string" && this.#switches.unsupportedPairs.includes(symbol)
      ? NOT_SUPPORTED
      : symbol;
  }
}

interface OwnMatch {
  readonly order: PracticeOrder;
  readonly match: Match;
}

function newestFirst(one: OwnMatch, other: OwnMatch): number {
  return (
    other.match.at - one.match.at ||
    other.order.placed.id - one.order.placed.id ||
    other.order.matches.indexOf(other.match) - one.order.matches.indexOf(one.match)
  );
}

function receivedBy({ placed: { kind, amount, rate, fill } }: PracticeOrder): Match["quantity"] {
  return fill?.quantity ?? fillAt(kind, amount, rate).quantity;
}

interface Page {
  /** Index of the page's first row. */
  readonly first: number;
  readonly pagination: unknown;
}

function pageAt(rows: number, page: number, count: number): Page {
  const last = Math.max(1, Math.ceil(rows / count));
  const pagination = {
    page,
    last,
    next: page < last ? page + 1 : null,
    prev: page > 1 ? Math.min(page - 1, last) : null,
  };
  return { first: (page - 1) * count, pagination };
}

/** The page after the cursor's match; the first page without a cursor. New matches do not shift it. */
function pageAfter(matches: readonly OwnMatch[], cursor: unknown, count: number): Page | PracticeRefusal {
  const first = cursor === "" ? 0 : matches.findIndex(({ match }) => match.txn === cursor) + 1;
  if (first === 0 && cursor !== "") return { code: 10, message: "No such cursor." };
  const hasNext = first + count < matches.length;
  const end = hasNext ? (matches[first + count - 1]?.match.txn ?? "") : "";
  return { first, pagination: { cursor: end, has_next: hasNext } };
}
