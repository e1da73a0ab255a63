import type { Pair, SymbolForm, SymbolOrder } from "../../market/pair.ts";
import type { ServedInterval } from "../../market/intervals.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { After } from "../../time/timers.ts";
import { callOf, targetOf } from "../call.ts";
import {
  capabilityNames,
  endpointNames,
  endpoints,
  factsOf,
  isSigned,
  type CapabilityName,
  type Endpoint,
  type EndpointForm,
  type EndpointWith,
} from "../endpoints.ts";
import { unknownShape } from "../errors.ts";
import { routeIn, routesOf, type EndpointRoute } from "../paths.ts";
import type { OpenSocket } from "../stream/socket.ts";
import { decodeServerTime } from "../wire/account.ts";
import type { Payload } from "../wire/payload.ts";
import { decodeSymbols, type SymbolsResponse } from "../wire/symbols.ts";
import { decodeTickers, symbolsIn } from "../wire/tickers.ts";
import { findForm, isWrongPath, knownRoutes, triedForms, type Discovery } from "./endpointForm.ts";
import { caseOf, formOf, orderOf } from "./pairNames.ts";
import type { DiscoveryResponse } from "./requests.ts";
import { sendsFrame } from "./streams.ts";

/** The parts of the public API. */
export type PublicPart = PublicEndpoint | "headerPrefix" | "tickerStream" | "bookStream";
type PublicEndpoint = EndpointWith<{ readonly access: "public" }>;
export const publicEndpoints = endpointNames.filter((name): name is PublicEndpoint => !isSigned(name));

const publicCapabilities = capabilityNames.filter(
  (name): name is PublicEndpoint & CapabilityName =>
    !isSigned(name) && factsOf(name).read?.probe !== undefined,
);

/** The public API of an exchange. Missing parts were not found. */
export interface PublicDiscovery {
  readonly baseUrl: URL;
  /** Path of the server time. */
  readonly serverTime: string | undefined;
  readonly tickers: FoundTickers;
  /** The capabilities that responded in a known shape. */
  readonly features: Readonly<Partial<Record<CapabilityName, EndpointForm>>>;
  /** Path of the price history, including the form of its symbols. */
  readonly historyPath: string | undefined;
  /** Start of the oldest daily candle, ms since the epoch. */
  readonly candlesSince: number | undefined;
  readonly tickerStream: string | undefined;
  readonly bookStream: string | undefined;
  /** Prefix of the signature headers, if an error response names one of them. */
  readonly headerPrefix: string | undefined;
  /**
   * How far the exchange's clock is ahead of this computer's, in ms, accurate to a few seconds. Undefined without a server
   * time.
   */
  readonly clockAheadMs: number | undefined;
  /** False if a rate limit or a network failure ended the discovery early: missing parts may exist. */
  readonly isComplete: boolean;
}

interface FoundTickers extends SymbolForm {
  readonly path: string;
  readonly pairs: number;
  /** The pair with the highest volume, for requests that need a pair. */
  readonly sample: Pair;
}

/** No known endpoint responded. `error`: the most specific failure. */
export interface NothingFound {
  readonly error: unknown;
}

export interface DiscoveryOptions extends Discovery {
  readonly openSocket: OpenSocket;
  readonly after: After;
  /** Called for each part once its result is known. */
  readonly onPart?: (part: PublicPart, isFound: boolean) => void;
}

/** Private reads, sent unsigned: the error for a missing key often names the missing header. */
const REFUSING = [...routesOf("openOrders"), ...routesOf("wallet")].filter(
  ({ method, envelope }) => method === "GET" && envelope !== "C",
);
const TICKER_STREAM = "/websocket-api/";
const BOOK_STREAM = "/websocket-api/orderbook/";
const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
/** Older than every exchange with this API. */
const OLDEST_CANDLE = Date.UTC(2013, 0, 1);

/**
 * Discovers the public API at the first of these base URLs that has one. Sends only unsigned GET requests, only to these
 * origins, and connects to the public streams. For each part, the newest generation that responds in a known shape is
 * used. Base and quote as named by `symbols` take precedence over inferred ones.
 */
export async function discoverPublic(
  baseUrls: readonly URL[],
  options: DiscoveryOptions,
): Promise<PublicDiscovery | NothingFound> {
  let error: unknown;
  for (const baseUrl of baseUrls) {
    const market = await findMarket(baseUrl, options);
    if ("tickers" in market) return await findFeatures(baseUrl, market, options);
    error = moreSpecific(error, market.error);
  }
  return { error };
}

interface Market {
  readonly serverTime: string | undefined;
  readonly clockAheadMs: number | undefined;
  readonly path: string;
  /** In the exchange's spelling. */
  readonly symbols: readonly string[];
  /** Decoded as if the base came first. */
  readonly tickers: readonly Ticker[];
}

/** Requests an endpoint at all of these routes. */
function requestAll(
  endpoint: Endpoint,
  routes: readonly EndpointRoute[],
  baseUrl: URL,
  { requests }: Discovery,
): Promise<readonly DiscoveryResponse[]> {
  return Promise.all(routes.map((route) => requests.send(callOf(endpoint, baseUrl, route))));
}

async function findMarket(baseUrl: URL, options: DiscoveryOptions): Promise<Market | NothingFound> {
  const { onPart, known, now } = options;
  const [timeRoutes, tickerRoutes] = [knownRoutes("serverTime", known), knownRoutes("tickers", known)];
  const [times, markets] = await Promise.all([
    requestAll("serverTime", timeRoutes, baseUrl, options),
    requestAll("tickers", tickerRoutes, baseUrl, options),
  ]);
  const time = firstOf(times, decodeServerTime);
  const serverTime = time && timeRoutes[time.index]?.path;
  const clockAheadMs = time && time.value - now();
  onPart?.("serverTime", serverTime !== undefined);
  const found = firstOf(markets, (payload) => {
    const read = decodeTickers(payload, "baseFirst");
    if (!read || read.tickers.size === 0) return undefined;
    return { symbols: symbolsIn(payload), tickers: [...read.tickers.values()] };
  });
  const path = found && tickerRoutes[found.index]?.path;
  onPart?.("tickers", path !== undefined);
  if (found && path !== undefined) return { serverTime, clockAheadMs, path, ...found.value };
  return { error: [...markets, ...times].map(failureOf).reduce(moreSpecific, undefined) };
}

async function findFeatures(
  baseUrl: URL,
  { serverTime, clockAheadMs, path, symbols, tickers }: Market,
  options: DiscoveryOptions,
): Promise<PublicDiscovery> {
  const { requests, onPart, known } = options;
  const symbolRoutes = knownRoutes("symbols", known);
  const [listings, refusals] = await Promise.all([
    requestAll("symbols", symbolRoutes, baseUrl, options),
    requestAll("wallet", REFUSING, baseUrl, options),
  ]);
  const listed = firstOf(listings, (payload) => readSymbols(payload));
  const listing = listed && symbolRoutes[listed.index];
  const symbolOrder = orderOf(symbols, listed?.value.explicit) ?? "quoteFirst";
  const form: SymbolForm = { symbolOrder, symbolCase: caseOf(symbols) };
  const traded = tradedOf(tickers, symbolOrder);
  onPart?.("symbols", listed !== undefined);
  const headerPrefix = refusals.map(({ text }) => headerPrefixIn(text)).find((each) => each !== undefined);
  onPart?.("headerPrefix", headerPrefix !== undefined);

  const [features, history] = await Promise.all([
    findCapabilities(baseUrl, traded, form, options),
    findHistory(baseUrl, traded, form, options),
  ]);
  const pairingId = listed?.value.pairingIds.get(traded.base + traded.quote);
  const streams = await findStreams(baseUrl, traded, pairingId, options);
  return {
    baseUrl,
    serverTime,
    tickers: { path, ...form, pairs: tickers.length, sample: traded },
    features: {
      ...(listing && { symbols: { ...listing, symbolOrder: listed.value.order, symbolCase: "upper" } }),
      ...features,
    },
    ...history,
    headerPrefix,
    clockAheadMs,
    ...streams,
    isComplete: requests.stopReason === undefined,
  };
}

/** Finds the public capabilities. The symbol forms that one of them accepts are tried first for the next. */
async function findCapabilities(
  baseUrl: URL,
  traded: Pair,
  form: SymbolForm,
  options: DiscoveryOptions,
): Promise<PublicDiscovery["features"]> {
  const found: Partial<Record<CapabilityName, EndpointForm>> = {};
  let likely = [form];
  for (const name of publicCapabilities) {
    const each = await findForm(name, baseUrl, traded, triedForms(likely), options);
    if (each) {
      found[name] = each.form;
      likely = [formOf(each.form), ...likely];
    }
    options.onPart?.(name, each !== undefined);
  }
  return found;
}

async function findHistory(
  baseUrl: URL,
  traded: Pair,
  { symbolOrder }: SymbolForm,
  { requests, now, onPart }: DiscoveryOptions,
): Promise<Pick<PublicDiscovery, "historyPath" | "candlesSince">> {
  const { read } = endpoints.history;
  const route = routeIn("A", "history");
  const candlesFrom = async (order: SymbolOrder, interval: ServedInterval, from: number) => {
    const form = { ...route, symbolOrder: order, symbolCase: "upper" } as const;
    const request = { pair: traded, interval, from, to: now() };
    const response = await requests.send(callOf("history", baseUrl, form, read.parameters(request, form)));
    if (!response.ok) return undefined;
    return read.decode(response.payload, request, { form, askedAt: now(), amountOfBuys: undefined })?.candles;
  };
  for (const order of ["baseFirst", "quoteFirst"] as const) {
    const candles = await candlesFrom(order, "1h", now() - WEEK);
    if (!candles || candles.length === 0) continue;
    const days = await candlesFrom(order, "1d", OLDEST_CANDLE);
    const names = order === "baseFirst" ? "{base}_{quote}" : "{quote}_{base}";
    onPart?.("history", true);
    return {
      historyPath: order === symbolOrder ? route.path : `${route.path}?symbol=${names}`,
      candlesSince: (days ?? candles)[0]?.time,
    };
  }
  onPart?.("history", false);
  return { historyPath: undefined, candlesSince: undefined };
}

async function findStreams(
  base: URL,
  { quote, base: asset }: Pair,
  pairingId: number | undefined,
  { requests, openSocket, after, onPart }: DiscoveryOptions,
): Promise<Pick<PublicDiscovery, "tickerStream" | "bookStream">> {
  if (requests.stopReason) return { tickerStream: undefined, bookStream: undefined };
  const name = `market.ticker.${quote}_${asset}`.toLowerCase();
  const hasStream = (path: string, matches: (text: string) => boolean): Promise<boolean> =>
    sendsFrame(targetOf(base, path), matches, { openSocket, after });
  const [hasTickers, hasBook] = await Promise.all([
    hasStream(`${TICKER_STREAM}${name}`, (text) => text.includes(`"${name}"`)),
    pairingId === undefined
      ? false
      : hasStream(`${BOOK_STREAM}${pairingId}`, (text) =>
          /"event"\s*:\s*"(?:depth|trades|bids|asks)changed"/.test(text),
        ),
  ]);
  onPart?.("tickerStream", hasTickers);
  onPart?.("bookStream", hasBook);
  return {
    tickerStream: hasTickers ? TICKER_STREAM : undefined,
    bookStream: hasBook ? BOOK_STREAM : undefined,
  };
}

interface Listed {
  readonly order: SymbolOrder;
  /** Pairs whose base and quote the exchange names. */
  readonly explicit: readonly Pair[];
  /** Numbers of the pairs in the order book stream, by base and quote. */
  readonly pairingIds: ReadonlyMap<string, number>;
}

function readSymbols(payload: Payload): Listed | undefined {
  const rows = Array.isArray(payload.content) ? (payload.content as unknown[]) : [];
  const fields = rows.flatMap((row) => (typeof row === "object" && row !== null ? [row as Fields] : []));
  const explicit = fields.flatMap(({ base_asset: base, quote_asset: quote }) =>
    typeof base === "string" && typeof quote === "string"
      ? [{ base: base.toUpperCase(), quote: quote.toUpperCase() }]
      : [],
  );
  const names = fields.flatMap(({ symbol }) => (typeof symbol === "string" ? [symbol] : []));
  const order = orderOf(names, explicit) ?? "quoteFirst";
  const read: SymbolsResponse | undefined = decodeSymbols(payload, order);
  if (!read || read.listings.size === 0) return undefined;
  const pairingIds = new Map(
    [...read.listings.values()].flatMap(({ pair, pairingId }) =>
      pairingId === undefined ? [] : [[pair.base + pair.quote, pairingId] as const],
    ),
  );
  return { order, explicit, pairingIds };
}

interface Fields {
  readonly symbol?: unknown;
  readonly base_asset?: unknown;
  readonly quote_asset?: unknown;
}

/** The pair with the highest volume among those with the most common quote asset. */
function tradedOf(tickers: readonly Ticker[], order: SymbolOrder): Pair {
  const pairs = tickers.map(({ pair: { quote, base }, quoteVolume }) => ({
    pair: order === "baseFirst" ? { quote, base } : { quote: base, base: quote },
    volume: quoteVolume ?? 0,
  }));
  const byQuote = Map.groupBy(pairs, ({ pair }) => pair.quote);
  const [common = []] = [...byQuote.values()].sort((a, b) => b.length - a.length);
  const [best] = common.toSorted((a, b) => b.volume - a.volume);
  return best?.pair ?? { quote: "", base: "" };
}

/** `X-SVC-` from a text like "Missing X-SVC-APIKEY header". */
function headerPrefixIn(text: string): string | undefined {
  return /\b([A-Za-z][A-Za-z\d-]{0,60}-)API-?KEY\b/i.exec(text)?.[1];
}

function firstOf<T>(
  responses: readonly DiscoveryResponse[],
  read: (payload: Payload) => T | undefined,
): { readonly index: number; readonly value: T } | undefined {
  for (const [index, response] of responses.entries()) {
    const value = response.ok ? read(response.payload) : undefined;
    if (value !== undefined) return { index, value };
  }
  return undefined;
}

function failureOf(response: DiscoveryResponse): unknown {
  return response.ok ? unknownShape("tickers", response.payload.status) : response.error;
}

/** Any other failure is more specific than a wrong path. */
function moreSpecific(first: unknown, second: unknown): unknown {
  if (first === undefined) return second;
  return isWrongPath(first) && second !== undefined ? second : first;
}
