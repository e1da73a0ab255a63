import type { Exchange } from "../account/exchange.ts";
import type { Match, PracticeOrder } from "../account/order.ts";
import type { OrderKind, PracticeRefusal } from "../account/rules.ts";
import { ownSymbol, readCount, readReference, readTime, symbolIn, type Fields } from "./fields.ts";
import { historyRow, openOrderRow, orderInfoResult, placedResult } from "./orderWire.ts";
import type { PracticeGeneration } from "./routes.ts";

/** Fields of a successful response beside `error`. */
export type Success = Readonly<Record<string, unknown>>;

const USUAL_ROWS = 10;
const MAX_ROWS = 100;
/** How long a cancelled order can be looked up. */
const CANCELLED_KEPT_MS = 3 * 86_400_000;

/** Handles requests about orders. `now` is the exchange's time in ms. */
export class PracticeOrders {
  readonly #account: Exchange;

  constructor(account: Exchange) {
    this.#account = account;
  }

  /** Throws if the order could not be recorded. */
  place(
    kind: OrderKind,
    fields: Fields,
    generation: PracticeGeneration,
    now: number,
  ): Success | PracticeRefusal {
    const hasSymbol = Object.hasOwn(fields, "sym");
    const body = hasSymbol ? { ...fields, sym: ownSymbol(fields["sym"], generation) } : fields;
    const placed = this.#account.place(kind, body, now);
    return "code" in placed ? placed : { result: placedResult(placed.order, placed.received) };
  }

  /** Throws if the cancellation could not be recorded. */
  cancel(fields: Fields, generation: PracticeGeneration, now: number): Success | PracticeRefusal {
    const order = this.#find(fields, generation);
    if (order && "code" in order) return order;
    const isCancelled = order !== undefined && this.#account.cancel(order.placed.id, now);
    return isCancelled ? {} : { code: 21, message: "No such order is open." };
  }

  open(fields: Fields, generation: PracticeGeneration): Success | PracticeRefusal {
    const symbol = symbolIn(fields, this.#account.market, generation);
    if (typeof symbol !== "string") return symbol;
    const open = this.#of(symbol).filter(({ closed }) => !closed);
    return { result: open.toReversed().map((order) => openOrderRow(order, generation)) };
  }

  info(fields: Fields, generation: PracticeGeneration, now: number): Success | PracticeRefusal {
    const symbol = symbolIn(fields, this.#account.market, generation);
    if (typeof symbol !== "string") return symbol;
    const order = this.#find(fields, generation);
    if (order && "code" in order) return order;
    const { as, at = now } = order?.closed ?? {};
    const isGone = as === "cancelled" && now - at >= CANCELLED_KEPT_MS;
    return order && !isGone
      ? { result: orderInfoResult(order) }
      : { code: 24, message: "No such order is known." };
  }

  /** Matches of a pair, newest first: by page or, except in generation A, by cursor if requested. */
  history(fields: Fields, generation: PracticeGeneration, now: number): Success | PracticeRefusal {
    const symbol = symbolIn(fields, this.#account.market, generation);
    if (typeof symbol !== "string") return symbol;
    const from = readTime(fields["start"], "start") ?? 0;
    const until = readTime(fields["end"], "end") ?? now;
    const matches = this.#of(symbol)
      .flatMap((order) => order.matches.map((match) => ({ order, match })))
      .filter(({ match: { at } }) => at >= from && at <= until)
      .toSorted(newestFirst);
    const count = readCount(fields["lmt"], USUAL_ROWS, MAX_ROWS);
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
    return [...this.#account.orders.values()].filter(({ placed }) => placed.symbol === symbol);
  }

  #find(fields: Fields, generation: PracticeGeneration): PracticeOrder | PracticeRefusal | undefined {
    const reference = readReference(fields, this.#account.market, generation);
    if ("code" in reference) return reference;
    const { id, symbol, kind } = reference;
    const order = id === undefined ? undefined : this.#account.orders.get(id);
    return order?.placed.symbol === symbol && order.placed.kind === kind ? order : undefined;
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

/** The page after the cursor's match, or the first page for an empty cursor. New matches do not shift it. */
function pageAfter(matches: readonly OwnMatch[], cursor: unknown, count: number): Page | PracticeRefusal {
  const first = cursor === "" ? 0 : matches.findIndex(({ match }) => match.txn === cursor) + 1;
  if (first === 0 && cursor !== "") return { code: 10, message: "No such cursor." };
  const hasNext = first + count < matches.length;
  const end = hasNext ? (matches[first + count - 1]?.match.txn ?? "") : "";
  return { first, pagination: { cursor: end, has_next: hasNext } };
}
