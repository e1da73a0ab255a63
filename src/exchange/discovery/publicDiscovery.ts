import { symbolFor, type Pair, type SymbolForm, type SymbolOrder } from "../../market/pair.ts";
import { intervals, type Interval } from "../../market/intervals.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { CapabilityName } from "../../market/endpoints.ts";
import { UnreadableResponseError } from "../errors.ts";
import type { EndpointForm, Generation } from "../features.ts";
import type { ServiceProfile } from "../profile.ts";
import type { After } from "../../http/after.ts";
import type { OpenSocket } from "../stream/socket.ts";
import { decodeServerTime } from "../wire/account.ts";
import { decodeDepth } from "../wire/depth.ts";
import type { Payload } from "../wire/envelope.ts";
import { decodeHistory } from "../wire/history.ts";
import { isStatus } from "../wire/status.ts";
import { decodeSymbols, type SymbolsResponse } from "../wire/symbols.ts";
import { decodeTickers, symbolsIn } from "../wire/tickers.ts";
import { decodeTrades } from "../wire/trades.ts";
import { pathUnder } from "./paths.ts";
import { caseOf, formsFrom, orderOf } from "./pairNames.ts";
import type { DiscoveryRequests, DiscoveryResponse } from "./requests.ts";
import { sendsFrame } from "./streams.ts";

/** The parts of the public API, in the order of discovery. */
export type PublicPart =
  | "serverTime"
  | "tickers"
  | "symbols"
  | "status"
  | "headerPrefix"
  | "depth"
  | "trades"
  | "history"
  | "tickerStream"
  | "bookStream";

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

export interface DiscoveryOptions {
  readonly requests: DiscoveryRequests;
  readonly openSocket: OpenSocket;
  readonly after: After;
  /** Local clock, ms since the epoch. */
  readonly now: () => number;
  /** The current profile, whose paths are tried first. */
  readonly known?: ServiceProfile;
  /** Called for each part once its result is known. */
  readonly onPart?: (part: PublicPart, isFound: boolean) => void;
}

/** Paths of all known API generations, newest first. */
const PATHS: Readonly<
  Record<
    "serverTime" | "tickers" | "symbols" | "depth" | "trades" | "refusing",
    readonly (readonly [string, Generation])[]
  >
> = {
  serverTime: [
    ["/api/v3/servertime", "B"],
    ["/api/servertime", "A"],
  ],
  tickers: [
    ["/api/v3/market/ticker", "B"],
    ["/api/market/ticker", "A"],
  ],
  symbols: [
    ["/api/v3/market/symbols", "B"],
    ["/api/market/symbols", "A"],
  ],
  depth: [
    ["/api/v3/market/depth", "B"],
    ["/api/market/depth", "A"],
  ],
  trades: [
    ["/api/v3/market/trades", "B"],
    ["/api/market/trades", "A"],
  ],
  // Private reads: the error for a missing key often names the missing header.
  refusing: [
    ["/api/v3/market/my-open-orders", "B"],
    ["/api/v3/market/wallet", "B"],
    ["/api/market/wallet", "A"],
  ],
};
const STATUS_PATH = "/api/status";
const HISTORY_PATH = "/tradingview/history";
const TICKER_STREAM = "/websocket-api/";
const BOOK_STREAM = "/websocket-api/orderbook/";
const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
/** Older than every exchange with this API. */
const OLDEST_CANDLE = Date.UTC(2013, 0, 1);
/** Each form of a symbol costs one request of the limited number. */
const MAX_FORMS = 3;

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

type KnownPath = readonly [path: string, generation: Generation];

/** The known paths of a part, that of the current profile first. */
function pathsFor(
  name: "serverTime" | "tickers" | "symbols" | "depth" | "trades",
  known: ServiceProfile | undefined,
): readonly KnownPath[] {
  const own = name === "serverTime" || name === "tickers" ? known?.endpoints[name] : known?.features[name];
  const others = PATHS[name].filter(([path]) => path !== own?.path);
  return own ? [[own.path, own.envelope ?? "A"], ...others] : others;
}

async function findMarket(
  base: URL,
  { requests, onPart, known, now }: DiscoveryOptions,
): Promise<Market | NothingFound> {
  const [timePaths, tickerPaths] = [pathsFor("serverTime", known), pathsFor("tickers", known)];
  const get = (endpoint: "serverTime" | "tickers", paths: readonly KnownPath[]) =>
    Promise.all(
      paths.map(([path]) => requests.send({ endpoint, method: "GET", url: pathUnder(base, path) })),
    );
  const [times, markets] = await Promise.all([get("serverTime", timePaths), get("tickers", tickerPaths)]);
  const time = firstOf(times, decodeServerTime);
  const serverTime = time && timePaths[time.index]?.[0];
  const clockAheadMs = time && time.value.serverMs - now();
  onPart?.("serverTime", serverTime !== undefined);
  const found = firstOf(markets, (payload) => {
    const read = decodeTickers(payload, "baseFirst");
    if (!read || read.tickers.size === 0) return undefined;
    return { symbols: symbolsIn(payload), tickers: [...read.tickers.values()] };
  });
  const path = found && tickerPaths[found.index]?.[0];
  onPart?.("tickers", path !== undefined);
  if (found && path !== undefined) return { serverTime, clockAheadMs, path, ...found.value };
  return { error: [...markets, ...times].map(failureOf).reduce(moreSpecific, undefined) };
}

async function findFeatures(
  base: URL,
  { serverTime, clockAheadMs, path, symbols, tickers }: Market,
  options: DiscoveryOptions,
): Promise<PublicDiscovery> {
  const { requests, onPart, known } = options;
  const symbolPaths = pathsFor("symbols", known);
  const get = (endpoint: "symbols" | "wallet" | "status", paths: readonly KnownPath[]) =>
    Promise.all(
      paths.map(([each]) => requests.send({ endpoint, method: "GET", url: pathUnder(base, each) })),
    );
  const [listings, refusals, [status]] = await Promise.all([
    get("symbols", symbolPaths),
    get("wallet", PATHS.refusing),
    get("status", [[STATUS_PATH, "A"]]),
  ]);
  const listed = firstOf(listings, (payload) => readSymbols(payload));
  const symbolOrder = orderOf(symbols, listed?.value.explicit) ?? "quoteFirst";
  const form: SymbolForm = { symbolOrder, symbolCase: caseOf(symbols) };
  const sample = sampleOf(tickers, symbolOrder);
  const features: Partial<Record<CapabilityName, EndpointForm>> = {};
  if (listed) {
    const [symbolsPath = "", envelope = "B"] = symbolPaths[listed.index] ?? [];
    features.symbols = {
      method: "GET",
      path: symbolsPath,
      symbolOrder: listed.value.order,
      symbolCase: "upper",
      envelope,
    };
  }
  onPart?.("symbols", features.symbols !== undefined);
  if (status?.ok && isStatus(status.payload))
    features.status = { method: "GET", path: STATUS_PATH, ...form, envelope: "A" };
  onPart?.("status", features.status !== undefined);
  const headerPrefix = refusals.map(({ text }) => headerPrefixIn(text)).find((each) => each !== undefined);
  onPart?.("headerPrefix", headerPrefix !== undefined);

  const found = await findPairFeatures(base, sample, form, options);
  const pairingId = listed?.value.pairingIds.get(sample.base + sample.quote);
  const streams = await findStreams(base, sample, pairingId, options);
  return {
    baseUrl: base,
    serverTime,
    tickers: { path, ...form, pairs: tickers.length, sample },
    features: { ...features, ...found.features },
    historyPath: found.historyPath,
    candlesSince: found.candlesSince,
    headerPrefix,
    clockAheadMs,
    ...streams,
    isComplete: requests.stopReason === undefined,
  };
}

/** Finds the endpoints that take a pair. The symbol form that the order book accepts is tried first for trades. */
async function findPairFeatures(
  base: URL,
  sample: Pair,
  form: SymbolForm,
  options: DiscoveryOptions,
): Promise<Pick<PublicDiscovery, "features" | "historyPath" | "candlesSince">> {
  const { onPart } = options;
  const history = findHistory(base, sample, form, options);
  const depth = await findByForm("depth", base, sample, [form], options, (payload) => {
    const read = decodeDepth(payload);
    return read !== undefined && read.asks.length + read.bids.length > 0;
  });
  onPart?.("depth", depth !== undefined);
  const likely = depth ? [depth, form] : [form];
  const trades = await findByForm("trades", base, sample, likely, options, (payload) => {
    return (decodeTrades(payload)?.length ?? 0) > 0;
  });
  onPart?.("trades", trades !== undefined);
  const { historyPath, candlesSince } = await history;
  onPart?.("history", historyPath !== undefined);
  return {
    features: { ...(depth && { depth }), ...(trades && { trades }) },
    historyPath,
    candlesSince,
  };
}

/** Finds an endpoint that takes a pair, and the symbol form that it accepts. */
async function findByForm(
  endpoint: "depth" | "trades",
  base: URL,
  sample: Pair,
  likely: readonly SymbolForm[],
  { requests, known }: DiscoveryOptions,
  isKnown: (payload: Payload) => boolean,
): Promise<EndpointForm | undefined> {
  for (const [path, envelope] of pathsFor(endpoint, known)) {
    for (const form of formsFrom(likely).slice(0, MAX_FORMS)) {
      const capability: EndpointForm = { method: "GET", path, ...form, envelope };
      const url = pathUnder(base, path);
      url.searchParams.set("sym", symbolFor(sample, capability));
      url.searchParams.set("lmt", "5");
      const response = await requests.send({ endpoint, method: "GET", url });
      if (response.ok && isKnown(response.payload)) return capability;
      if (!response.ok && isWrongPath(response.error)) break;
    }
  }
  return undefined;
}

async function findHistory(
  base: URL,
  sample: Pair,
  { symbolOrder }: SymbolForm,
  { requests, now }: DiscoveryOptions,
): Promise<Pick<PublicDiscovery, "historyPath" | "candlesSince">> {
  const nothing = { historyPath: undefined, candlesSince: undefined };
  const read = async (symbol: string, interval: Interval, from: number) => {
    const url = pathUnder(base, HISTORY_PATH);
    url.searchParams.set("symbol", symbol);
    url.searchParams.set("resolution", intervals[interval].resolution);
    url.searchParams.set("from", String(Math.floor(from / 1000)));
    url.searchParams.set("to", String(Math.ceil(now() / 1000)));
    const response = await requests.send({ endpoint: "history", method: "GET", url });
    const request = { pair: sample, interval, from, to: now() };
    return response.ok ? decodeHistory(response.payload, request)?.candles : undefined;
  };
  for (const order of ["baseFirst", "quoteFirst"] as const) {
    const symbol = symbolFor(sample, { symbolOrder: order, symbolCase: "upper" });
    const candles = await read(symbol, "1h", now() - WEEK);
    if (!candles || candles.length === 0) continue;
    const days = await read(symbol, "1d", OLDEST_CANDLE);
    const names = order === "baseFirst" ? "{base}_{quote}" : "{quote}_{base}";
    return {
      historyPath: order === symbolOrder ? HISTORY_PATH : `${HISTORY_PATH}?symbol=${names}`,
      candlesSince: (days ?? candles)[0]?.time,
    };
  }
  return nothing;
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
    sendsFrame(pathUnder(base, path), matches, { openSocket, after });
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
function sampleOf(tickers: readonly Ticker[], order: SymbolOrder): Pair {
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
  return response.ok
    ? new UnreadableResponseError(
        "tickers",
        "shape",
        response.payload.status,
        "JSON, but none of the known shapes",
      )
    : response.error;
}

function isWrongPath(error: unknown): boolean {
  return statusOf(error) === 404;
}

function statusOf(error: unknown): number | undefined {
  const status = (error as { readonly httpStatus?: unknown } | undefined)?.httpStatus;
  return typeof status === "number" ? status : undefined;
}

/** Any other failure is more specific than a wrong path. */
function moreSpecific(first: unknown, second: unknown): unknown {
  if (first === undefined) return second;
  return statusOf(first) === 404 && second !== undefined ? second : first;
}
