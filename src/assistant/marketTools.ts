import type { Desk } from "../desk/desk.ts";
import { ChartFeed } from "../desk/feeds/chartFeed.ts";
import { errorLine } from "../desk/errorLine.ts";
import type { Candle } from "../market/candle.ts";
import { compareText } from "../market/compareText.ts";
import { Decimal, plainText, quotedIfKnown, quotedPrice } from "../market/numbers/decimal.ts";
import { compactName, findPair, nameContains, pairName, typedName } from "../market/pair.ts";
import type { Ticker } from "../market/ticker.ts";
import { type Answer, foreignWords } from "./answer.ts";
import type { Input } from "./inputs.ts";

/** Prices older than this are refreshed before a tool returns them. */
const SHOWN_PRICE_MS = 10_000;
const USUAL_PAIRS = 20;
const USUAL_CANDLES = 60;
const USUAL_LEVELS = 10;
/** Maximum significant digits of an order book level. No exchange of this family uses more. */
const MAX_DIGITS = 12;

export const noExchange: Answer = { problem: "No exchange is active in Bidside." };

/** Pairs with a longer asset name are hidden from the model: an exchange could put a key or a sentence into a name. */
const LONGEST_NAME = 11;

export function isShortName(asset: string): boolean {
  return asset.length <= LONGEST_NAME;
}

/** The market without the pairs hidden by `LONGEST_NAME`. */
function namedTickers({ tickers }: Desk): readonly Ticker[] {
  return [...tickers.state.tickers.values()].filter(
    ({ pair }) => isShortName(pair.base) && isShortName(pair.quote),
  );
}

/** Looks up a pair by symbol or name in any case, order, width and separator, if exactly one pair fits. */
export function findTicker(desk: Desk, named: string): Ticker | undefined {
  const market = namedTickers(desk);
  const exact = findPair(new Map(market.map((ticker) => [ticker.symbol, ticker])), named.trim());
  if (exact) return exact;
  const name = compactName(named);
  const found = market.filter(({ pair: { base, quote } }) =>
    [base + quote, quote + base].some((each) => compactName(each) === name),
  );
  return found.length === 1 ? found[0] : undefined;
}

export const unknownPair: Answer = {
  problem: "The exchange lists no such pair. bidside_markets lists pairs.",
};

/** Refreshes prices older than `freshMs`. The desk's rate limits and intervals still apply. */
export async function refreshPrices({ tickers }: Desk, freshMs = SHOWN_PRICE_MS): Promise<void> {
  const { ageMs } = tickers;
  if (ageMs === undefined || ageMs < 0 || ageMs > freshMs) await tickers.refresh();
}

/** Identifies the exchange a result comes from, and the age of its prices. */
export function sourceOf({ venue: { venue }, tickers }: Desk): Record<string, unknown> {
  const { ageMs, isStale } = tickers;
  return {
    exchange: venue && foreignWords(venue.name, false),
    money: venue?.account.kind === "practice" ? "play money" : "real money",
    pricesAgeSeconds: ageMs === undefined ? undefined : Math.max(0, Math.round(ageMs / 1000)),
    ...(isStale && { warning: "These prices are old." }),
  };
}

/** Prices of one pair, or of a sorted and filtered part of the market. */
export async function readMarkets(desk: Desk, input: Input<"bidside_markets">): Promise<Answer> {
  await refreshPrices(desk);
  if (input.pair !== undefined) {
    const ticker = findTicker(desk, input.pair);
    return ticker ? { data: { ...sourceOf(desk), pair: tickerData(ticker) } } : unknownPair;
  }
  const { filter = "", sort = "volume", limit = USUAL_PAIRS } = input;
  const wanted = typedName(filter);
  const whole = compactName(filter);
  if (wanted !== "") await desk.rules.read();
  const found = namedTickers(desk)
    .filter(
      ({ symbol, pair }) =>
        [pairName(pair), symbol.toUpperCase()].some(
          (name) => name.includes(wanted) || compactName(name) === whole,
        ) || nameContains(desk.rules.nameOf(pair), filter),
    )
    .sort(ORDERS[sort]);
  return {
    data: {
      ...sourceOf(desk),
      pairs: found.slice(0, limit).map(tickerData),
      ...(found.length > limit && { omitted: found.length - limit }),
    },
  };
}

const known = (value: number | undefined): number => value ?? Number.NEGATIVE_INFINITY;
const byName = (a: Ticker, b: Ticker): number => compareText(pairName(a.pair), pairName(b.pair));
const downBy =
  (of: (ticker: Ticker) => number) =>
  (a: Ticker, b: Ticker): number =>
    of(a) === of(b) ? byName(a, b) : of(b) > of(a) ? 1 : -1;

const ORDERS = {
  name: byName,
  volume: downBy(({ quoteVolume }) => known(quoteVolume)),
  rise: downBy(({ percentChange }) => known(percentChange)),
  fall: downBy(({ percentChange }) => (percentChange === undefined ? known(undefined) : -percentChange)),
  move: downBy(({ percentChange }) => (percentChange === undefined ? -1 : Math.abs(percentChange))),
} as const;

function tickerData(ticker: Ticker): Record<string, unknown> {
  const { pair, symbol, frozen, percentChange } = ticker;
  return {
    pair: pairName(pair),
    symbol,
    last: quotedIfKnown(ticker.last),
    bestBid: quotedIfKnown(ticker.bestBid),
    bestAsk: quotedIfKnown(ticker.bestAsk),
    high24h: quotedIfKnown(ticker.high),
    low24h: quotedIfKnown(ticker.low),
    changePercent24h: percentChange,
    quoteVolume24h: quotedIfKnown(ticker.quoteVolume),
    ...(frozen && { frozen: true }),
  };
}

/** The newest candles of a pair, oldest first. */
export async function readCandles(desk: Desk, input: Input<"bidside_candles">): Promise<Answer> {
  await refreshPrices(desk);
  const { interval, limit = USUAL_CANDLES } = input;
  const ticker = findTicker(desk, input.pair);
  if (!ticker) return unknownPair;
  const { venue, tickers, timers } = desk;
  const feed = new ChartFeed({
    symbol: ticker.symbol,
    venue,
    tickers,
    recorded: desk.history,
    now: timers.now,
    onError: (error) => desk.log.warn(`Candles for an assistant: ${errorLine(error)}`),
  });
  try {
    await feed.select(interval);
    await feed.load();
    const { state } = feed;
    if (state.kind !== "ready") return { problem: "The candles of this pair could not be read." };
    const isRecorded = state.from === "recorded";
    return {
      data: {
        ...sourceOf(desk),
        pair: pairName(ticker.pair),
        symbol: ticker.symbol,
        interval,
        ...(isRecorded && { note: "Recorded by Bidside. The volume is at least this." }),
        columns: "time (UTC),open,high,low,close,volume",
        rows: state.candles.slice(-limit).map(candleRow),
      },
    };
  } finally {
    feed.dispose();
  }
}

function candleRow({ time, open, high, low, close, volume }: Candle): string {
  const at = new Date(time).toISOString().slice(0, 16);
  const prices = [open, high, low, close].map(quotedPrice);
  return [at, ...prices, quotedIfKnown(volume) ?? ""].join(",");
}

/** The order book of a pair, if the exchange offers one. */
export async function readOrderBook(desk: Desk, input: Input<"bidside_book">): Promise<Answer> {
  const { venue } = desk.venue;
  if (!venue) return noExchange;
  if (!venue.client.capabilities.depth) return { problem: "This exchange offers no order book." };
  await refreshPrices(desk);
  const ticker = findTicker(desk, input.pair);
  if (!ticker) return unknownPair;
  const { symbol, pair } = ticker;
  const levels = input.levels ?? USUAL_LEVELS;
  try {
    const book = await desk.venue.read(venue, async ({ capabilities }) =>
      capabilities.depth?.({ symbol, pair, levels }),
    );
    if (!book) return { problem: "This exchange offers no order book." };
    const figure = (value: Decimal): string => plainText(value.prec(MAX_DIGITS, Decimal.roundDown));
    const rows = (side: typeof book.asks): string[] =>
      side.slice(0, levels).map(({ price, size }) => `${figure(price)},${figure(size)}`);
    return {
      data: {
        ...sourceOf(desk),
        pair: pairName(pair),
        symbol,
        columns: `rate (${pair.quote}),size (${pair.base})`,
        asks: rows(book.asks),
        bids: rows(book.bids),
      },
    };
  } catch (error) {
    desk.log.warn(`Order book for an assistant: ${errorLine(error)}`);
    return { problem: "The order book could not be read." };
  }
}
