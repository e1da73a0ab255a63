import type { Depth } from "../market/book/book.ts";
import type { PublicTrade } from "../market/book/publicTrade.ts";
import { intervals } from "../market/intervals.ts";
import type { NamedOrder, Side } from "../market/order.ts";
import type { OrderReport } from "../market/orderReport.ts";
import { symbolFor, type NamedPair, type SymbolForm } from "../market/pair.ts";
import type { Method } from "../http/connection.ts";
import { decodeWallet } from "./wire/account.ts";
import { decodeDepth } from "./wire/depth.ts";
import { decodeHistory, type HistoryRequest, type HistoryResponse } from "./wire/history.ts";
import type { AmountOfBuys, UnitHints } from "./wire/orders/fillFigures.ts";
import { decodeOpenOrders, type OpenOrdersResponse } from "./wire/orders/openOrders.ts";
import {
  decodeOrderHistory,
  historyParameters,
  type HistoryQuery,
  type OrderHistoryPage,
} from "./wire/orders/orderHistory.ts";
import { decodeOrderInfo } from "./wire/orders/orderInfo.ts";
import type { Payload } from "./wire/payload.ts";
import { isFeeCredits, isStatus } from "./wire/status.ts";
import { decodeSymbols, type SymbolsResponse } from "./wire/symbols.ts";
import { decodeTrades } from "./wire/trades.ts";

/**
 * Generation of an endpoint: A is the specification's, B has `v3` in its paths, C has `v4`. A and B use the envelope
 * `{"error":0,"result":…}`, C uses `{"code":"0","data":…}`. A pages the order history by number, B by cursor.
 */
export type Generation = "A" | "B" | "C";

/** How one endpoint of a service is called. */
export interface EndpointForm extends SymbolForm {
  readonly method: Method;
  /** Relative to the base URL, starting with one slash. May contain a query string. */
  readonly path: string;
  /** Undefined: detected from the response. */
  readonly envelope: Generation | undefined;
}

/** Parameters of a request: the query of a GET, the JSON of a POST. Undefined ones are left out. */
export type RequestParameters = Readonly<Record<string, string | number | undefined>>;

/** How an endpoint is read. `Request` is what it is asked for; void if for nothing in particular. */
export interface EndpointRead<Request, Result> {
  readonly parameters: (request: Request, form: EndpointForm) => RequestParameters;
  /** Undefined for an unknown shape. */
  readonly decode: (payload: Payload, request: Request, context: ReadContext) => Result | undefined;
  /** The error code for "no such thing", for example the sample: the result is then undefined. */
  readonly missing?: number;
  /** The request by which discovery recognizes the endpoint. Missing if it does so in a way of its own. */
  readonly probe?: ((traded: NamedPair) => Probe) | undefined;
}

/** A request to an endpoint that an exchange may not have. */
interface Probe {
  readonly parameters: (form: EndpointForm) => RequestParameters;
  /** Whether the response shows that the exchange has the endpoint, in this form. */
  readonly isKnown: (payload: Payload, context: ReadContext) => boolean;
}

interface ReadContext {
  readonly form: EndpointForm;
  /** Local time right before the request, ms. */
  readonly askedAt: number;
  /** The profile's unit of amounts in the order history of buys, if it has one. */
  readonly amountOfBuys: AmountOfBuys | undefined;
}

/** What is known of every endpoint. */
interface EndpointFacts {
  /** Where a profile has its form: `paths` for the four of the specification, `features` for capabilities. */
  readonly setting: "paths" | "features" | "historyPath" | "privateStream";
  readonly access: "public" | "signed";
  /** What a request changes, if it changes the account: its response must prove the outcome. */
  readonly effect?: "order" | "cancel";
  /** As documented for exchanges of this family. Discovery prefers the first that responds. */
  readonly routes: readonly `${Method} /${string}`[];
  /** A list of any length: its response may be large. */
  readonly isList?: true;
  /** Parsed as plain numbers, because speed matters and no money depends on them. */
  readonly hasPlainNumbers?: true;
  /** Missing for what changes the account, and for server time and tickers, which are read in ways of their own. */
  readonly read?: EndpointRead<never, unknown>;
}

/** `isEmpty`: a response proves nothing, because the exchange may not know the pair by this name. */
function read<Request, Result>({
  sample,
  isEmpty = () => false,
  ...facts
}: Omit<EndpointRead<Request, Result>, "probe"> & {
  readonly sample?: (traded: NamedPair) => Request;
  readonly isEmpty?: (result: Result) => boolean;
}): EndpointRead<Request, Result> {
  const probe = (request: Request): Probe => ({
    parameters: (form) => facts.parameters(request, form),
    isKnown: (payload, context) => {
      const result = facts.decode(payload, request, context);
      return result !== undefined && !isEmpty(result);
    },
  });
  return { ...facts, probe: sample && ((traded) => probe(sample(traded))) };
}

const withoutParameters = <Result>(
  decode: (payload: Payload) => Result | undefined,
): EndpointRead<void, Result> =>
  read<void, Result>({ parameters: () => ({}), decode, sample: () => undefined });

/**
 * All endpoints, capabilities in the order of the settings. Client, discovery, settings and interface derive from this
 * table; the texts are in `src/ui/text/endpointText.ts`.
 */
export const endpoints = {
  serverTime: {
    setting: "paths",
    access: "public",
    routes: ["GET /api/v3/servertime", "GET /api/servertime"],
  },
  tickers: {
    setting: "paths",
    access: "public",
    routes: ["GET /api/v3/market/ticker", "GET /api/market/ticker"],
    isList: true,
    hasPlainNumbers: true,
  },
  wallet: {
    setting: "paths",
    access: "signed",
    routes: [
      "POST /api/v3/market/wallet",
      "GET /api/v3/market/wallet",
      "GET /api/market/wallet",
      "POST /api/market/wallet",
      "GET /api/v4/wallet/assets",
    ],
    read: withoutParameters(decodeWallet),
  },
  placeBid: {
    setting: "paths",
    access: "signed",
    effect: "order",
    routes: ["POST /api/v3/market/place-bid", "POST /api/market/place-bid"],
  },
  history: {
    setting: "historyPath",
    access: "public",
    routes: ["GET /tradingview/history"],
    hasPlainNumbers: true,
    read: read<HistoryRequest, HistoryResponse>({
      parameters: ({ pair, interval, from, to }, form) => ({
        symbol: symbolFor(pair, form),
        resolution: intervals[interval].resolution,
        from: Math.floor(from / 1000),
        to: Math.ceil(to / 1000),
      }),
      decode: decodeHistory,
    }),
  },
  privateStream: {
    setting: "privateStream",
    access: "signed",
    routes: ["GET /v3/private"],
  },
  placeAsk: {
    setting: "features",
    access: "signed",
    effect: "order",
    routes: ["POST /api/v3/market/place-ask", "POST /api/market/place-ask"],
  },
  cancelOrder: {
    setting: "features",
    access: "signed",
    effect: "cancel",
    routes: ["POST /api/v3/market/cancel-order", "POST /api/market/cancel-order"],
  },
  balances: {
    setting: "features",
    access: "signed",
    routes: ["GET /api/v4/wallet/balances", "POST /api/v3/market/balances", "POST /api/market/balances"],
    read: withoutParameters(decodeWallet),
  },
  openOrders: {
    setting: "features",
    access: "signed",
    routes: ["GET /api/v3/market/my-open-orders", "POST /api/market/my-open-orders"],
    isList: true,
    read: read<NamedPair, OpenOrdersResponse>({
      parameters: ({ pair }, form) => ({ sym: symbolFor(pair, form) }),
      decode: (payload, named, { askedAt }) => decodeOpenOrders(payload, { ...named, askedAt }),
      sample: (named) => named,
    }),
  },
  orderInfo: {
    setting: "features",
    access: "signed",
    routes: ["GET /api/v3/market/order-info", "POST /api/market/order-info"],
    isList: true,
    read: read<NamedOrder, OrderReport | undefined>({
      parameters: ({ pair, orderId, side }, form) => ({ sym: symbolFor(pair, form), id: orderId, sd: side }),
      decode: (payload, order, context) =>
        decodeOrderInfo(payload, { ...order, askedAt: context.askedAt }, unitHints(context)),
      sample: (named) => ({ ...named, orderId: "1", side: "buy" }),
      missing: 24,
    }),
  },
  orderHistory: {
    setting: "features",
    access: "signed",
    routes: ["GET /api/v3/market/my-order-history", "POST /api/market/my-order-history"],
    isList: true,
    read: read<NamedPair & HistoryQuery, OrderHistoryPage>({
      parameters: (query, form) => ({
        sym: symbolFor(query.pair, form),
        ...historyParameters(query, form.envelope === "A"),
      }),
      decode: (payload, { symbol, pair, orderedOf }, context) =>
        decodeOrderHistory(
          payload,
          { symbol, pair, askedAt: context.askedAt },
          unitHints(context),
          orderedOf,
        ),
      sample: (named) => ({ ...named, limit: 5 }),
    }),
  },
  symbols: {
    setting: "features",
    access: "public",
    routes: ["GET /api/v3/market/symbols", "GET /api/market/symbols"],
    isList: true,
    read: read<void, SymbolsResponse>({
      parameters: () => ({}),
      decode: (payload, _, { form }) => decodeSymbols(payload, form.symbolOrder),
    }),
  },
  depth: {
    setting: "features",
    access: "public",
    routes: ["GET /api/v3/market/depth", "GET /api/market/depth"],
    read: read<NamedPair & { readonly levels: number }, Depth>({
      parameters: ({ pair, levels }, form) => ({ sym: symbolFor(pair, form), lmt: levels }),
      decode: decodeDepth,
      sample: (named) => ({ ...named, levels: 5 }),
      isEmpty: ({ asks, bids }) => asks.length + bids.length === 0,
    }),
  },
  trades: {
    setting: "features",
    access: "public",
    routes: ["GET /api/v3/market/trades", "GET /api/market/trades"],
    read: read<NamedPair & { readonly count: number }, readonly PublicTrade[]>({
      parameters: ({ pair, count }, form) => ({ sym: symbolFor(pair, form), lmt: count }),
      decode: decodeTrades,
      sample: (named) => ({ ...named, count: 5 }),
      isEmpty: (trades) => trades.length === 0,
    }),
  },
  status: {
    setting: "features",
    access: "public",
    routes: ["GET /api/status"],
    read: withoutParameters((payload) => isStatus(payload) || undefined),
  },
  feeCredits: {
    setting: "features",
    access: "signed",
    routes: ["POST /api/v3/user/trading-credits", "POST /api/user/trading-credits"],
    read: withoutParameters((payload) => isFeeCredits(payload) || undefined),
  },
} as const satisfies Record<string, EndpointFacts>;

export type Endpoint = keyof typeof endpoints;

/** The endpoints whose facts extend `Facts`. */
export type EndpointWith<Facts> = {
  [Name in Endpoint]: (typeof endpoints)[Name] extends Facts ? Name : never;
}[Endpoint];
/** The four endpoints of the specification. */
export type SpecEndpoint = EndpointWith<{ readonly setting: "paths" }>;
export type CapabilityName = EndpointWith<{ readonly setting: "features" }>;

/** The endpoint that places an order of a side. */
export const placeEndpoints = { buy: "placeBid", sell: "placeAsk" } as const satisfies Record<Side, Endpoint>;

export const endpointNames = Object.keys(endpoints) as readonly Endpoint[];
export const specEndpoints = endpointNames.filter(
  (name): name is SpecEndpoint => endpoints[name].setting === "paths",
);
/** Capabilities beyond the endpoints of the specification, by setting name. */
export const capabilityNames = endpointNames.filter(
  (name): name is CapabilityName => endpoints[name].setting === "features",
);

/** An object with a value for each name. */
export function byName<Name extends Endpoint, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}

/** The facts of an endpoint that is known only at run time. */
export function factsOf(endpoint: Endpoint): EndpointFacts {
  return endpoints[endpoint];
}

const MEGABYTE = 1024 * 1024;

/** The largest response that is read, in bytes, before and after decompression. */
export function maxBytesOf(endpoint: Endpoint): number {
  return factsOf(endpoint).isList ? 16 * MEGABYTE : MEGABYTE;
}

export function isEndpoint(name: string): name is Endpoint {
  return Object.hasOwn(endpoints, name);
}

/** Whether requests to the endpoint carry the API key. */
export function isSigned(endpoint: Endpoint): boolean {
  return endpoints[endpoint].access === "signed";
}

/**
 * Whether a request to this endpoint places an order. Such a request is sent once, and its response must prove the outcome.
 */
export function placesOrder(endpoint: Endpoint): boolean {
  return factsOf(endpoint).effect === "order";
}

/** Generation A usually reports buys in base, the others in quote. */
function unitHints({ amountOfBuys: stated, form }: ReadContext): UnitHints {
  return { stated, usual: form.envelope === "A" ? "base" : "quote" };
}
