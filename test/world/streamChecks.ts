import type { BookState } from "../../src/desk/feeds/bookFeed.ts";
import type { Account } from "../../src/market/account.ts";
import type { BookLevel } from "../../src/market/book/book.ts";
import type { Ticker } from "../../src/market/ticker.ts";
import type { Check } from "./checks.ts";
import type { Process } from "./process.ts";
import type { StreamConnection } from "./streamWire.ts";
import { Arrivals } from "./arrivals.ts";

/** The parts of the world that these checks need. */
interface Witness {
  violated(check: Check, text: string): void;
  reached(situation: string): void;
  /** The exchanges' clock, ms. */
  exchangeClock(): number;
}

/** The prices that a window shows. */
interface Shown {
  readonly venue: Account["kind"];
  readonly tickers: ReadonlyMap<string, Ticker>;
  readonly isStale: boolean;
}

/** What one connection sent, and how polls compared. Times by the exchanges' clock, ms. */
interface Testimony {
  venue: Account["kind"] | undefined;
  /** The prices since the newest poll, by symbol. */
  readonly since: Map<string, number[]>;
  /** The pairs that contradicted the newest poll that they were compared with. */
  readonly suspects: Set<string>;
  /** When it had contradicted two polls in a row. */
  wrongAt: number | undefined;
}

const TICKER = /"stream":"market\.ticker\.(\w+)".*?"last":([\d.e-]+).*?"quoteVolume":([\d.]+)/;
const MATCH = /"event":"match_update".*"txn_id"/;
const DEPTH = /"event":"depthchanged"/;
/** More than a poll may differ from a stream that is kept (docs/streams.md). */
const CONTRADICTION = 0.015;
/** Less than it may differ from a stream that contradicts it. */
const AGREEMENT = 0.008;
/** What arrives right after the second poll may still be shown. */
const CROSSING_MS = 1000;
/** The limit of a price's age (10 s), and twice the largest unnoticed change of the clock (3 s). */
const OLDEST_PRICE_MS = 16_500;

/** A wrong stream is not opened again sooner (docs/streams.md). */
const SHORTEST_WAIT_MS = 15_000;

/** The rules for streamed prices and books. */
export class StreamChecks {
  readonly #witness: Witness;
  readonly #arrivals = new Arrivals();
  readonly #connections = new WeakMap<StreamConnection, Testimony>();
  /** The newest poll of each window, by exchange. */
  readonly #readAt = new WeakMap<Process, Partial<Record<Account["kind"], number>>>();
  #clockSetAt = 0;
  /** When each window closed its stream as wrong, until it opens another one. */
  readonly #closed = new Map<number, number>();
  readonly #ofProcess = new WeakMap<Process, Set<StreamConnection>>();

  constructor(witness: Witness) {
    this.#witness = witness;
  }

  /** A frame arrived on the computer of a window, which may be frozen. */
  frameArrived(connection: StreamConnection, venue: Account["kind"], text: string): void {
    const now = this.#witness.exchangeClock();
    const [, name = "", digits, madeAt] = TICKER.exec(text) ?? [];
    const last = Number(digits);
    if (connection.kind === "ticker" && last > 0 && last < Number.POSITIVE_INFINITY && isJson(text)) {
      const symbol = name.toUpperCase();
      this.#arrivals.arrived(contentOfPrice(venue, symbol, Number(madeAt), last), now, connection);
      const record = this.#recordOf(connection);
      const { since } = record;
      record.venue = venue;
      since.set(symbol, [...(since.get(symbol) ?? []), last]);
      const own = this.#ofProcess.get(connection.process) ?? new Set();
      this.#ofProcess.set(connection.process, own.add(connection));
    } else if (DEPTH.test(text) && connection.kind === "book") {
      const depth = depthOfFrame(text);
      if (depth) this.#arrivals.arrived(`${venue} ${depth}`, now, connection);
    } else if (MATCH.test(text)) this.#witness.reached("aFillWasStreamed");
  }

  /** The exchange answers a poll of all tickers, or of a book. */
  answers(venue: Account["kind"], text: string): void {
    const now = this.#witness.exchangeClock();
    for (const { symbol, madeAt, last } of readingOf(text))
      this.#arrivals.arrived(contentOfPrice(venue, symbol, madeAt, last), Math.max(now, madeAt));
    const depth = depthOfAnswer(text);
    if (depth) this.#arrivals.arrived(`${venue} ${depth}`, now);
  }

  /** An undamaged poll of all tickers of an exchange reached a window. */
  readingTaken(process: Process, venue: Account["kind"], text: string): void {
    const read = readingOf(text);
    if (read.length === 0) return;
    const own = [...(this.#ofProcess.get(process) ?? [])].filter(({ isHeld }) => isHeld);
    this.#ofProcess.set(process, new Set(own));
    const readAt = this.#readAt.get(process) ?? {};
    const before = readAt[venue] ?? Number.NEGATIVE_INFINITY;
    this.#readAt.set(process, { ...readAt, [venue]: this.#witness.exchangeClock() });
    for (const connection of own) {
      const record = this.#recordOf(connection);
      // A window also polls the market of an account that it does not show, for its alerts.
      if (record.venue !== venue) continue;
      // After the clock was set, streamed prices have no order with the previous poll: none is painted or compared.
      if (before < this.#clockSetAt) record.since.clear();
      else this.#compare(record, read);
    }
  }

  #compare(record: Testimony, read: readonly { symbol: string; last: number }[]): void {
    const { since, suspects } = record;
    for (const { symbol, last } of read) {
      const streamed = since.get(symbol) ?? [];
      const distances = streamed.map((price) => Math.abs(price - last) / last);
      // In between, only the product knows which price it compared.
      if (distances.some((distance) => distance <= CONTRADICTION)) {
        if (distances.some((distance) => distance <= AGREEMENT)) suspects.delete(symbol);
      } else if (streamed.length > 0 && suspects.has(symbol)) {
        record.wrongAt ??= this.#witness.exchangeClock();
        this.#witness.reached("aStreamContradictedTwoReadings");
      } else if (streamed.length > 0) suspects.add(symbol);
    }
    since.clear();
  }

  /**
   * A window closed its stream as wrong: it shows the newest poll again. `isWrong`: whether the exchange's streams were
   * wrong within the last minutes.
   */
  streamClosed(pid: number, isWrong: boolean): void {
    this.#arrivals.forget(pid);
    const violated = (what: string): void =>
      this.#witness.violated("rightStreamsAreKept", `window ${pid} closed ${what}`);
    this.#witness.reached("aStreamWasClosedAsWrong");
    if (!isWrong) violated("a stream that was right");
    if (this.#closed.has(pid)) violated("a stream twice");
    this.#closed.set(pid, this.#witness.exchangeClock());
  }

  /** A window opens a stream of prices. */
  streamOpened(pid: number): void {
    const closedAt = this.#closed.get(pid);
    if (closedAt === undefined) return;
    this.#closed.delete(pid);
    this.#witness.reached("aWrongStreamWasOpenedAgain");
    const waitedMs = this.#witness.exchangeClock() - closedAt;
    if (waitedMs < SHORTEST_WAIT_MS)
      this.#witness.violated(
        "rightStreamsAreKept",
        `window ${pid} opened a wrong stream after ${waitedMs} ms`,
      );
  }

  /** A window shows prices. */
  pricesShown(pid: number, { venue, tickers, isStale }: Shown): void {
    if (isStale) return this.#arrivals.forget(pid);
    for (const [symbol, { quoteVolume, last }] of tickers) {
      const content = contentOfPrice(venue, symbol, quoteVolume, last);
      // While a window switches its exchange, it still has the prices of the one before.
      const isSent = (["practice", "live"] as const).some(
        (each) => this.#arrivals.arrivals(contentOfPrice(each, symbol, quoteVolume, last)).length > 0,
      );
      if (last !== undefined && !isSent)
        this.#witness.violated(
          "noOlderPrices",
          `window ${pid} shows ${symbol} at ${last}, which nobody sent`,
        );
      const olderMs = this.#arrivals.shown(pid, `${venue} ${symbol}`, content);
      if (olderMs !== undefined)
        this.#witness.violated(
          "noOlderPrices",
          `window ${pid} shows ${symbol} ${olderMs} ms older than before`,
        );
      if (this.#isStreamed(content)) this.#wrongStreamsAreDropped(`window ${pid} shows ${symbol}`, content);
    }
  }

  #wrongStreamsAreDropped(what: string, content: string): void {
    this.#witness.reached("aStreamedPriceWasShown");
    const lateMs = this.#arrivals.arrivals(content).map(({ at, connection }) => {
      const { wrongAt = Number.POSITIVE_INFINITY } = connection ? this.#recordOf(connection) : {};
      return at - wrongAt;
    });
    if (lateMs.every((ms) => ms > CROSSING_MS))
      this.#witness.violated(
        "wrongStreamsAreDropped",
        `${what} of a stream, ${Math.min(...lateMs)} ms after it contradicted two polls`,
      );
  }

  /** A window's prices are no measure any more: it has another exchange. */
  exchangeSwitched(pid: number): void {
    this.#arrivals.forget(pid);
    this.#closed.delete(pid);
  }

  /** A window that leads anew follows a stream anew. */
  roleChanged(pid: number): void {
    this.#closed.delete(pid);
  }

  clockWasSet(): void {
    this.#clockSetAt = this.#witness.exchangeClock();
    this.#arrivals.clockWasSet(this.#clockSetAt);
  }

  /** An order is about to leave a window whose newest poll has this ticker. */
  guardRestsOn(amount: string, venue: Account["kind"], ticker: Ticker): void {
    const content = contentOfPrice(venue, ticker.symbol, ticker.quoteVolume, ticker.last);
    const ageMs = this.#witness.exchangeClock() - (this.#arrivals.arrivals(content).at(-1)?.at ?? 0);
    if (ageMs > OLDEST_PRICE_MS)
      this.#witness.violated("noOrderOnOldPrices", `${amount} rests on a price that is ${ageMs} ms old`);
    if (this.#isStreamed(content))
      this.#witness.violated("ordersRestOnReadings", `${amount} rests on a streamed price`);
  }

  #isStreamed(content: string): boolean {
    const arrivals = this.#arrivals.arrivals(content);
    return arrivals.length > 0 && arrivals.every(({ connection }) => connection !== undefined);
  }

  /** A window shows a book. */
  bookShown(pid: number, venue: Account["kind"], state: BookState | undefined): void {
    const { book, symbol = "", readAt } = state ?? {};
    if (!book || readAt === undefined) return this.#arrivals.forget(-pid);
    const problem = problemOf(book);
    if (problem) this.#witness.violated("laddersAreSound", `window ${pid}: ${symbol} ${problem}`);
    const content = `${venue} ${contentOf(levelsOf(book.asks), levelsOf(book.bids))}`;
    if (this.#arrivals.arrivals(content).length === 0)
      this.#witness.violated("laddersAreSound", `window ${pid}: no exchange sent this book of ${symbol}`);
    this.#witness.reached(this.#isStreamed(content) ? "aStreamedBookWasShown" : "aBookWasRead");
    const olderMs = this.#arrivals.shown(-pid, `${venue} ${symbol}`, content);
    if (olderMs !== undefined)
      this.#witness.violated(
        "laddersAreSound",
        `window ${pid}: ${symbol} is ${olderMs} ms older than before`,
      );
  }

  #recordOf(connection: StreamConnection): Testimony {
    const known = this.#connections.get(connection);
    if (known) return known;
    const record: Testimony = {
      venue: undefined,
      since: new Map<string, number[]>(),
      suspects: new Set<string>(),
      wrongAt: undefined,
    };
    this.#connections.set(connection, record);
    return record;
  }
}

/** A price of a pair, with the time at which its exchange made it. */
function contentOfPrice(
  venue: Account["kind"],
  symbol: string,
  madeAt: number | undefined,
  last: number | undefined,
): string {
  return `${venue} ${symbol} ${madeAt} ${last}`;
}

type Levels = readonly (readonly [price: number, size: number])[];

/** The best levels of a book: no two moments have the same. */
function contentOf(asks: Levels, bids: Levels): string {
  return JSON.stringify([asks.slice(0, 3), bids.slice(0, 3)]);
}

function levelsOf(side: readonly BookLevel[]): Levels {
  return side.slice(0, 3).map(({ price, size }) => [Number(price.toFixed()), Number(size.toFixed())]);
}

function problemOf({ asks, bids }: NonNullable<BookState["book"]>): string | undefined {
  for (const [side, direction] of [
    [asks, 1],
    [bids, -1],
  ] as const)
    for (const [index, { price, size }] of side.entries()) {
      const before = side[index - 1]?.price;
      if (!price.gt("0") || !size.gt("0")) return `has ${size.toFixed()} at ${price.toFixed()}`;
      if (before && (direction === 1 ? !price.gt(before) : !before.gt(price))) return "is not in order";
    }
  return asks[0] && bids[0] && !asks[0].price.gt(bids[0].price) ? "crosses" : undefined;
}

function isJson(text: string): boolean {
  return text.endsWith("}");
}

function depthOfFrame(text: string): string | undefined {
  try {
    const { data } = JSON.parse(text) as {
      data: Record<"asks" | "bids", readonly { price: number; base_volume: number }[]>;
    };
    const side = (levels: (typeof data)["asks"]): Levels =>
      levels.slice(0, 3).map(({ price, base_volume: size }) => [price, size]);
    return contentOf(side(data.asks), side(data.bids));
  } catch {
    return undefined;
  }
}

function depthOfAnswer(text: string): string | undefined {
  if (!text.includes('"asks"')) return undefined;
  const { result, ...bare } = JSON.parse(text) as { result?: unknown };
  const { asks, bids } = (result ?? bare) as Record<"asks" | "bids", Levels>;
  return contentOf(asks, bids);
}

/** The pairs of a poll of all tickers; none of any other answer. */
function readingOf(text: string): { symbol: string; last: number; madeAt: number }[] {
  if (!text.includes('"quoteVolume"')) return [];
  const { result } = JSON.parse(text) as { result: Record<string, { last: number; quoteVolume: number }> };
  return Object.entries(result).map(([symbol, { last, quoteVolume }]) => ({
    symbol,
    last,
    madeAt: quoteVolume,
  }));
}
