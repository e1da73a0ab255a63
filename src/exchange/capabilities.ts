import type { Depth } from "../market/book/book.ts";
import type { CapabilityName, Endpoint } from "../market/endpoints.ts";
import type { PublicTrade } from "../market/book/publicTrade.ts";
import type { Side } from "../market/order.ts";
import type { OrderReport } from "../market/orderReport.ts";
import { symbolFor, type Pair } from "../market/pair.ts";
import { ExchangeError, RefusedError, UnreadableResponseError } from "./errors.ts";
import type { EndpointForm } from "./features.ts";
import { targetOf, type ServiceProfile } from "./profile.ts";
import type { ReadGate, ReadRetry } from "./readRetry.ts";
import type { EndpointRequest } from "./signedRequest.ts";
import { decodeDepth } from "./wire/depth.ts";
import type { Payload, ResponseContext } from "./wire/envelope.ts";
import type { AmountOfBuys } from "./wire/orders/fillFigures.ts";
import { decodeOpenOrders, type OpenOrdersResponse } from "./wire/orders/openOrders.ts";
import {
  decodeOrderHistory,
  type HistoryPosition,
  type OrderHistoryPage,
} from "./wire/orders/orderHistory.ts";
import { decodeOrderInfo } from "./wire/orders/orderInfo.ts";
import { decodeSymbols, type SymbolsResponse } from "./wire/symbols.ts";
import { decodeTrades } from "./wire/trades.ts";

/** A pair named by its key. Tickers and orders are assignable. */
export interface NamedPair {
  readonly symbol: string;
  readonly pair: Pair;
}

/** An order identified as on the exchange. */
export interface NamedOrder extends NamedPair {
  readonly orderId: string;
  readonly side: Side;
}

/** Range of the order history. Times in ms since the epoch. */
export interface HistoryQuery {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Maximum matches per page. */
  readonly limit?: number | undefined;
  /** The previous page's `next`. */
  readonly position?: HistoryPosition | undefined;
}

/**
 * Response to a cancel request. `accepted`: the exchange accepted the request, which does not prove that the order
 * ended. `unknownOrder`: no such order is open; it was filled, already cancelled, or never placed.
 */
export type CancelResponse = "accepted" | "unknownOrder";

/** Everything an exchange offers beyond the four endpoints. A method is missing if the profile lacks its capability. */
export type Capabilities = Pick<CapabilityClient, keyof CapabilityClient>;

export interface CapabilityCall extends EndpointRequest, Pick<ResponseContext, "generation"> {
  readonly signed: boolean;
}

/** The client's request pipeline: signatures, rate limits and retries. */
interface Requests {
  readonly now: () => number;
  readonly repeated: ReadRetry;
  /** Sends one request and returns the content of its envelope. */
  readonly ask: (call: CapabilityCall) => Promise<Payload>;
  /** Called with every list of pairs that the exchange returns. */
  readonly listed: (read: SymbolsResponse) => void;
  /** Logs skipped entries of a response. */
  readonly note: (endpoint: Endpoint, unreadable: readonly string[]) => void;
}

/** Parameters of a request: the query of a GET, the JSON body of a POST. */
type Parameters = Readonly<Record<string, string | number | undefined>>;

/** Repeating a cancellation is safe: an order cannot be cancelled twice. */
const MAX_CANCEL_REQUESTS = 3;
const UNKNOWN_ORDER = 21;
const ORDER_NOT_FOUND = 24;

/**
 * The optional capabilities of one exchange. Every method rejects with an ExchangeError. Reads and cancellations are
 * retried after transient failures. A `gate` can stop a read before a request or a retry.
 */
export class CapabilityClient {
  readonly #profile: ServiceProfile;
  readonly #requests: Requests;

  /** Open orders of one pair; the exchanges of this family cannot list those of all pairs. */
  readonly openOrders?: (named: NamedPair, gate?: ReadGate) => Promise<OpenOrdersResponse>;
  /**
   * Undefined if the exchange finds no such order, which proves nothing: cancelled orders disappear after some days.
   */
  readonly orderInfo?: (order: NamedOrder, gate?: ReadGate) => Promise<OrderReport | undefined>;
  /** A page of matched orders, newest first. */
  readonly orderHistory?: (
    named: NamedPair,
    query?: HistoryQuery,
    gate?: ReadGate,
  ) => Promise<OrderHistoryPage>;
  readonly symbols?: (gate?: ReadGate) => Promise<SymbolsResponse>;
  /** At most `levels` per side. */
  readonly depth?: (named: NamedPair, levels: number, gate?: ReadGate) => Promise<Depth>;
  /** The newest `count` trades, newest first. */
  readonly trades?: (named: NamedPair, count: number, gate?: ReadGate) => Promise<readonly PublicTrade[]>;
  /**
   * Requests cancellation, at most three times. `mayStillSend` is checked right before the first byte of each request; if it
   * returns false, nothing more is sent (NotSentError, `tooLate`).
   */
  readonly cancelOrder?: (order: NamedOrder, mayStillSend?: () => boolean) => Promise<CancelResponse>;

  constructor(profile: ServiceProfile, requests: Requests) {
    this.#profile = profile;
    this.#requests = requests;
    const { openOrders, orderInfo, orderHistory, symbols, depth, trades, cancelOrder } = profile.features;
    if (openOrders) this.openOrders = (named, gate) => this.#readOpenOrders(openOrders, named, gate);
    if (orderInfo) this.orderInfo = (order, gate) => this.#readOrderInfo(orderInfo, order, gate);
    if (orderHistory)
      this.orderHistory = (named, query = {}, gate = {}) =>
        this.#readHistory(orderHistory, named, query, gate);
    if (symbols) this.symbols = (gate) => this.#readSymbols(symbols, gate);
    if (depth)
      this.depth = (named, levels, gate) =>
        this.#read("depth", depth, { sym: symbolFor(named.pair, depth), lmt: levels }, decodeDepth, gate);
    if (trades)
      this.trades = (named, count, gate) =>
        this.#read("trades", trades, { sym: symbolFor(named.pair, trades), lmt: count }, decodeTrades, gate);
    if (cancelOrder)
      this.cancelOrder = (order, mayStillSend) => this.#cancel(cancelOrder, order, mayStillSend);
  }

  async #readOpenOrders(
    capability: EndpointForm,
    named: NamedPair,
    gate?: ReadGate,
  ): Promise<OpenOrdersResponse> {
    const parameters = { sym: symbolFor(named.pair, capability) };
    const decode = (payload: Payload, askedAt: number): OpenOrdersResponse | undefined =>
      decodeOpenOrders(payload, { ...named, askedAt });
    const read = await this.#read("openOrders", capability, parameters, decode, gate);
    this.#requests.note("openOrders", read.unreadable);
    return read;
  }

  async #readOrderInfo(
    capability: EndpointForm,
    order: NamedOrder,
    gate?: ReadGate,
  ): Promise<OrderReport | undefined> {
    const parameters = { sym: symbolFor(order.pair, capability), id: order.orderId, sd: order.side };
    const decode = (payload: Payload, askedAt: number): OrderReport | undefined =>
      decodeOrderInfo(payload, { ...order, askedAt }, this.#amountOfBuys(capability));
    try {
      return await this.#read("orderInfo", capability, parameters, decode, gate);
    } catch (error) {
      if (isCode(error, ORDER_NOT_FOUND)) return undefined;
      throw error;
    }
  }

  async #readHistory(
    capability: EndpointForm,
    named: NamedPair,
    query: HistoryQuery,
    gate: ReadGate,
  ): Promise<OrderHistoryPage> {
    const parameters = {
      sym: symbolFor(named.pair, capability),
      ...historyParameters(query, capability.envelope === "A"),
    };
    const decode = (payload: Payload, askedAt: number): OrderHistoryPage | undefined =>
      decodeOrderHistory(payload, { ...named, askedAt }, this.#amountOfBuys(capability));
    const page = await this.#read("orderHistory", capability, parameters, decode, gate);
    this.#requests.note("orderHistory", page.unreadable);
    return page;
  }

  async #readSymbols(capability: EndpointForm, gate?: ReadGate): Promise<SymbolsResponse> {
    const decode = (payload: Payload): SymbolsResponse | undefined =>
      decodeSymbols(payload, capability.symbolOrder);
    const read = await this.#read("symbols", capability, {}, decode, gate);
    this.#requests.note("symbols", read.unreadable);
    this.#requests.listed(read);
    return read;
  }

  async #cancel(
    capability: EndpointForm,
    { pair, orderId, side }: NamedOrder,
    mayStillSend?: () => boolean,
  ): Promise<CancelResponse> {
    const call = this.#call("cancelOrder", capability, {
      sym: symbolFor(pair, capability),
      id: orderId,
      sd: side,
    });
    let requests = 0;
    // Called by the transport right before the first byte, also when a request is retried.
    const mayGo = (): boolean => {
      if (requests >= MAX_CANCEL_REQUESTS || mayStillSend?.() === false) return false;
      requests += 1;
      return true;
    };
    // A later attempt that was not sent or was rejected does not undo an earlier one.
    let unproven: ExchangeError | undefined;
    const send = async (): Promise<CancelResponse> => {
      try {
        const { enveloped, status } = await this.#requests.ask({ ...call, mayStillSend: mayGo });
        if (!enveloped) throw unknownShape("cancelOrder", status);
        return "accepted";
      } catch (error) {
        if (error instanceof ExchangeError && !error.provesNothingHappened) unproven ??= error;
        throw error;
      }
    };
    try {
      return await this.#requests.repeated(send, () => requests < MAX_CANCEL_REQUESTS);
    } catch (error) {
      if (isCode(error, UNKNOWN_ORDER)) return "unknownOrder";
      throw unproven ?? error;
    }
  }

  #read<T>(
    name: CapabilityName,
    capability: EndpointForm,
    parameters: Parameters,
    decode: (payload: Payload, askedAt: number) => T | undefined,
    { mayRetry, mayStillSend }: ReadGate = {},
  ): Promise<T> {
    const call = { ...this.#call(name, capability, parameters), mayStillSend };
    return this.#requests.repeated(async () => {
      const askedAt = this.#requests.now();
      const payload = await this.#requests.ask(call);
      const read = decode(payload, askedAt);
      if (read === undefined) throw unknownShape(name, payload.status);
      return read;
    }, mayRetry);
  }

  #call(
    name: CapabilityName,
    { method, path, envelope }: EndpointForm,
    parameters: Parameters,
  ): CapabilityCall {
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
    const url = targetOf(this.#profile, path);
    if (method === "GET") for (const [key, value] of given) url.searchParams.append(key, String(value));
    // A private POST without parameters has an empty body, like that of the wallet (api.md 4).
    const body = given.length === 0 ? "" : JSON.stringify(Object.fromEntries(given));
    return {
      label: name,
      method,
      url,
      ...(method === "POST" && { body: Buffer.from(body) }),
      generation: envelope,
      signed: !PUBLIC.has(name),
    };
  }

  /** Generation A reports buys in base, the others in quote, unless the profile overrides it. */
  #amountOfBuys({ envelope }: EndpointForm): AmountOfBuys {
    return this.#profile.features.historyAmountOfBuys ?? (envelope === "A" ? "base" : "quote");
  }
}

const PUBLIC: ReadonlySet<CapabilityName> = new Set(["symbols", "depth", "trades"]);

/** Generation A uses page numbers and seconds, the others cursors and ms. */
function historyParameters({ from, to, limit, position }: HistoryQuery, isOldest: boolean): Parameters {
  const time = (ms: number | undefined, round: (value: number) => number): number | undefined =>
    ms === undefined ? undefined : round(isOldest ? ms / 1000 : ms);
  const page = position?.page ?? (isOldest && !position ? 1 : undefined);
  return {
    p: page,
    lmt: limit,
    start: time(from, Math.floor),
    end: time(to, Math.ceil),
    ...(page === undefined && { pagination_type: "keyset" }),
    cursor: position?.cursor,
  };
}

/** A response that contradicts itself proves nothing. */
function isCode(error: unknown, code: number): boolean {
  return error instanceof RefusedError && error.code === code && !error.contradictsItself;
}

function unknownShape(endpoint: Endpoint, status: number): UnreadableResponseError {
  return new UnreadableResponseError(endpoint, "shape", status, "JSON, but none of the known shapes");
}
