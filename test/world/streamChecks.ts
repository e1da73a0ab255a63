import type { BookState } from "../../src/desk/book/bookFeed.ts";
import type { VenueId } from "../../src/desk/venue.ts";
import type { BookLevel } from "../../src/market/book/book.ts";
import type { Ticker } from "../../src/market/ticker.ts";
import type { Check } from "./checks.ts";
import type { Process } from "./process.ts";
import type { StreamConnection } from "./streamWire.ts";
import { type Arrival, Told } from "./told.ts";

/** The parts of the world that these checks need. */
interface Witness {
  violated(check: Check, text: string): void;
  reached(situation: string): void;
  /** The exchanges' clock, ms. */
  exchangeClock(): number;
}

/** The prices that a window shows. */
interface Shown {
  readonly venue: VenueId;
  readonly tickers: ReadonlyMap<string, Ticker>;
  readonly isStale: boolean;
  /** The window says that the prices are those of a stream. */
  readonly isLive: boolean;
}

interface Sample {
  readonly at: number;
  readonly last: number;
}

/** What one connection told, and what readings said of it. Times by the exchanges' clock, ms. */
interface Testimony {
  readonly samples: Map<string, Sample[]>;
  provenAt: number | undefined;
  wrongAt: number | undefined;
}

const TICKER = /"stream":"market\.ticker\.(\w+)".*?"last":([\d.e-]+).*?"quoteVolume":([\d.]+)/;
const MATCH = /"event":"match_update".*"txn_id"/;
const DEPTH = /"event":"depthchanged"/;
/** What a reading may differ from the stream that it proves (docs/streams.md). */
const TOLERANCE = 0.005;
/** A reading may show a moment of this time before its request. */
const SLACK_MS = 10_000;
const SAMPLES_MS = 30_000;
/** A stream is believed for 90 s after a proof. A clock that was set by 3 s, and a frozen window, are not noticed at once. */
const PROOF_MS = 100_000;
/** After a reading that shows anything else, what still arrives is not shown. Its answer and a frame may cross. */
const CROSSING_MS = 1000;
/** The limit of a price's age (10 s), and twice the largest unnoticed change of the clock (3 s). */
const OLDEST_PRICE_MS = 16_500;

/** The rules for what streams tell: prices, books, and who believes them. */
export class StreamChecks {
  readonly #witness: Witness;
  readonly #told = new Told();
  readonly #connections = new WeakMap<StreamConnection, Testimony>();
  readonly #ofProcess = new WeakMap<Process, Set<StreamConnection>>();
  readonly #wasLive = new Set<number>();

  constructor(witness: Witness) {
    this.#witness = witness;
  }

  /** A frame arrived on the computer of a window, which may be frozen. */
  frameArrived(connection: StreamConnection, venue: VenueId, text: string): void {
    const now = this.#witness.exchangeClock();
    const [, name = "", last, madeAt] = TICKER.exec(text) ?? [];
    if (madeAt !== undefined && connection.kind === "ticker" && isJson(text)) {
      const symbol = name.toUpperCase();
      this.#told.arrived(`${venue} ${symbol} ${Number(madeAt)}`, now, connection);
      const { samples } = this.#recordOf(connection);
      const list = samples.get(symbol) ?? [];
      samples.set(symbol, [
        ...list.filter(({ at }) => at > now - SAMPLES_MS),
        { at: now, last: Number(last) },
      ]);
      const own = this.#ofProcess.get(connection.process) ?? new Set();
      this.#ofProcess.set(connection.process, own.add(connection));
    } else if (DEPTH.test(text) && connection.kind === "book") {
      const depth = depthOfFrame(text);
      if (depth) this.#told.arrived(`${venue} ${depth}`, now, connection);
    } else if (MATCH.test(text)) this.#witness.reached("aFillWasStreamed");
  }

  /** The exchange answers a reading of all tickers, or of a book. */
  answers(venue: VenueId, text: string): void {
    const now = this.#witness.exchangeClock();
    for (const { symbol, madeAt } of readingOf(text))
      this.#told.arrived(`${venue} ${symbol} ${madeAt}`, Math.max(now, madeAt));
    const depth = depthOfAnswer(text);
    if (depth) this.#told.arrived(`${venue} ${depth}`, now);
  }

  /** An undamaged reading of all tickers reached a window, which had asked at `askedAt` (the exchanges' clock). */
  readingTaken(process: Process, text: string, askedAt: number): void {
    const own = [...(this.#ofProcess.get(process) ?? [])].filter(({ isHeld }) => isHeld);
    this.#ofProcess.set(process, new Set(own));
    const records = own.map((connection) => this.#recordOf(connection));
    const now = this.#witness.exchangeClock();
    let agreed = 0;
    for (const { symbol, last } of readingOf(text)) {
      const told = records
        .flatMap(({ samples }) => samples.get(symbol) ?? [])
        .filter(({ at }) => at >= askedAt - SLACK_MS);
      if (told.length === 0) continue;
      if (told.some((sample) => Math.abs(sample.last - last) <= TOLERANCE * last)) agreed += 1;
      else if (told.some(({ at }) => at <= askedAt)) {
        for (const record of records) record.wrongAt = now;
        this.#witness.reached("aReadingDisagreedWithAStream");
        return;
      }
    }
    if (agreed > 0) for (const record of records) record.provenAt = now;
  }

  /** A window shows prices. */
  pricesShown(pid: number, { venue, tickers, isStale, isLive }: Shown): void {
    // Prices of a stream that is not believed any more give way to what is left.
    if (isStale || (this.#wasLive.has(pid) && !isLive)) this.#told.forget(pid);
    if (isLive) this.#wasLive.add(pid);
    else this.#wasLive.delete(pid);
    if (isStale) return;
    for (const [symbol, { quoteVolume }] of tickers) {
      const content = `${venue} ${symbol} ${quoteVolume}`;
      const olderMs = this.#told.shown(pid, `${venue} ${symbol}`, content);
      if (olderMs !== undefined)
        this.#witness.violated(
          "noOlderPrices",
          `window ${pid} shows ${symbol} ${olderMs} ms older than before`,
        );
      this.#streamedPricesAreProven(`window ${pid} shows ${symbol}`, content);
    }
  }

  /** A window's prices are no measure any more: it has another exchange. */
  exchangeSwitched(pid: number): void {
    this.#told.forget(pid);
    this.#wasLive.delete(pid);
  }

  clockWasSet(): void {
    this.#told.clockWasSet(this.#witness.exchangeClock());
  }

  /** An order is about to leave a window that shows this price. */
  guardRestsOn(amount: string, process: Process, venue: VenueId, ticker: Ticker): void {
    const content = `${venue} ${ticker.symbol} ${ticker.quoteVolume}`;
    const arrivals = this.#told.arrivals(content);
    const ageMs = this.#witness.exchangeClock() - (arrivals.at(-1)?.at ?? 0);
    if (ageMs > OLDEST_PRICE_MS)
      this.#witness.violated("noOrderOnOldPrices", `${amount} rests on a price that is ${ageMs} ms old`);
    if (!this.#isStreamed(content)) return;
    this.#witness.reached("anOrderRestedOnAStreamedPrice");
    this.#streamedPricesAreProven(`the order of ${amount} rests on`, content);
    if (arrivals.every(({ connection }) => connection?.process === process && !connection.isHeld))
      this.#witness.violated("streamedPricesAreProven", `${amount} rests on a stream that has ended`);
  }

  #isStreamed(content: string): boolean {
    const arrivals = this.#told.arrivals(content);
    return arrivals.length > 0 && arrivals.every(({ connection }) => connection !== undefined);
  }

  /** A price of a stream counts only after a reading that agreed, and not after one that shows anything else. */
  #streamedPricesAreProven(what: string, content: string): void {
    if (!this.#isStreamed(content)) return;
    this.#witness.reached("aStreamedPriceWasShown");
    const found = this.#told.arrivals(content).map((arrival) => this.#doubtOf(arrival));
    const [doubt] = found;
    if (doubt && found.every((each) => each !== undefined))
      this.#witness.violated(doubt.check, `${what} a price of a stream ${doubt.text}`);
  }

  #doubtOf({ at, connection }: Arrival): { readonly check: Check; readonly text: string } | undefined {
    if (!connection) return undefined;
    const { provenAt, wrongAt = 0 } = this.#recordOf(connection);
    if (wrongAt > (provenAt ?? 0) && at > wrongAt + CROSSING_MS)
      return { check: "wrongStreamsAreDropped", text: `${at - wrongAt} ms after a reading disagreed` };
    if (provenAt === undefined) return { check: "streamedPricesAreProven", text: "that was never proven" };
    const ms = this.#witness.exchangeClock() - provenAt;
    return ms > PROOF_MS
      ? { check: "streamedPricesAreProven", text: `that was proven ${ms} ms ago` }
      : undefined;
  }

  /** A window shows a book. */
  bookShown(pid: number, venue: VenueId, state: BookState | undefined): void {
    const { book, symbol = "", readAt } = state ?? {};
    if (!book || readAt === undefined) return this.#told.forget(-pid);
    const problem = problemOf(book);
    if (problem) this.#witness.violated("laddersAreSound", `window ${pid}: ${symbol} ${problem}`);
    const content = `${venue} ${contentOf(levelsOf(book.asks), levelsOf(book.bids))}`;
    if (this.#told.arrivals(content).length === 0)
      this.#witness.violated("laddersAreSound", `window ${pid}: nobody told this book of ${symbol}`);
    this.#witness.reached(this.#isStreamed(content) ? "aStreamedBookWasShown" : "aBookWasRead");
    const olderMs = this.#told.shown(-pid, `${venue} ${symbol}`, content);
    if (olderMs !== undefined)
      this.#witness.violated(
        "laddersAreSound",
        `window ${pid}: ${symbol} is ${olderMs} ms older than before`,
      );
  }

  #recordOf(connection: StreamConnection): Testimony {
    const known = this.#connections.get(connection);
    if (known) return known;
    const record = { samples: new Map<string, Sample[]>(), provenAt: undefined, wrongAt: undefined };
    this.#connections.set(connection, record);
    return record;
  }
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

/** The pairs of a reading of all tickers; none of any other answer. */
function readingOf(text: string): { symbol: string; last: number; madeAt: number }[] {
  if (!text.includes('"quoteVolume"')) return [];
  const { result } = JSON.parse(text) as { result: Record<string, { last: number; quoteVolume: number }> };
  return Object.entries(result).map(([symbol, { last, quoteVolume }]) => ({
    symbol,
    last,
    madeAt: quoteVolume,
  }));
}
