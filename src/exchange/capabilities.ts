import type { Depth } from "../market/book/book.ts";
import type { CapabilityName, Endpoint } from "../market/endpoints.ts";
import type { Decimal } from "../market/numbers/decimal.ts";
import type { Side } from "../market/order.ts";
import type { OrderReport } from "../market/orderReport.ts";
import { symbolFor, type Pair } from "../market/pair.ts";
import { ExchangeError, RefusedError, UnreadableAnswerError } from "./errors.ts";
import type { EndpointForm } from "./features.ts";
import type { HttpRequest } from "./http/transport.ts";
import { targetOf, type ServiceProfile } from "./profile.ts";
import type { ReadGate, ReadRetry } from "./readRetry.ts";
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
import { decodeFeeCredits, decodeStatus, type ServicePart } from "./wire/status.ts";
import { decodeSymbols, type SymbolsResponse } from "./wire/symbols.ts";
import { decodeTrades, type TradesResponse } from "./wire/trades.ts";

/** A pair by its key. A ticker is one, and so is an order. */
export interface NamedPair {
  readonly symbol: string;
  readonly pair: Pair;
}

/** An order as the exchange knows it. */
export interface NamedOrder extends NamedPair {
  readonly orderId: string;
  readonly side: Side;
}

/** The wanted part of the order history. Times in ms since the epoch. */
export interface HistoryQuery {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** How many matches a page has at most. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly position?: HistoryPosition | undefined;
}

/**
 * What the exchange said to a cancellation. `accepted`: it took the request, which does not prove the end of the order.
 * `unknownOrder`: it has no such open order; the order was filled, or cancelled before, or never there.
 */
export type CancelAnswer = "accepted" | "unknownOrder";

/** What an exchange offers beyond the four endpoints: a method is missing if the profile does not have its capability. */
export type Capabilities = Pick<CapabilityClient, keyof CapabilityClient>;

export interface CapabilityCall
  extends Omit<HttpRequest, "headers" | "maxBytes">, Pick<ResponseContext, "generation"> {
  readonly signed: boolean;
}

/** The requests of a client, with its signatures, rate limits and repetitions. */
interface Requests {
  /** Local clock, ms since the epoch. */
  readonly now: () => number;
  readonly repeated: ReadRetry;
  /** One request, and its answer without the envelope. */
  readonly ask: (call: CapabilityCall) => Promise<Payload>;
  /** The exchange has listed its pairs. */
  readonly listed: (read: SymbolsResponse) => void;
  /** Logs the omitted entries of an answer. */
  readonly note: (endpoint: Endpoint, unreadable: readonly string[]) => void;
}

/** Words and whole numbers of a request: the query of a GET, the JSON body of a POST. */
type Parameters = Readonly<Record<string, string | number | undefined>>;

/** Sending a cancellation again is safe: an order cannot be cancelled twice. */
const MOST_CANCEL_REQUESTS = 3;
const UNKNOWN_ORDER = 21;
const ORDER_NOT_FOUND = 24;

/**
 * The capabilities of one exchange. Every method rejects with an ExchangeError. A read is repeated after a failure that
 * may be temporary, a cancellation too; both ask `gate` as the reads of the client do.
 */
export class CapabilityClient {
  readonly #profile: ServiceProfile;
  readonly #requests: Requests;

  /** The open orders of a pair. There is no query over all pairs. */
  readonly openOrders?: (named: NamedPair, gate?: ReadGate) => Promise<OpenOrdersResponse>;
  /** Undefined: the exchange finds no such order, which proves nothing: cancelled orders vanish after some days. */
  readonly orderInfo?: (order: NamedOrder, gate?: ReadGate) => Promise<OrderReport | undefined>;
  /** A page of matched orders, the newest first. */
  readonly orderHistory?: (
    named: NamedPair,
    query?: HistoryQuery,
    gate?: ReadGate,
  ) => Promise<OrderHistoryPage>;
  readonly symbols?: (gate?: ReadGate) => Promise<SymbolsResponse>;
  /** At most `levels` on each side. */
  readonly depth?: (named: NamedPair, levels: number, gate?: ReadGate) => Promise<Depth>;
  /** The newest `count` trades. */
  readonly trades?: (named: NamedPair, count: number, gate?: ReadGate) => Promise<TradesResponse>;
  readonly status?: (gate?: ReadGate) => Promise<readonly ServicePart[]>;
  /** The credits that pay fees, in quote. */
  readonly feeCredits?: (gate?: ReadGate) => Promise<Decimal>;
  /**
   * Asks for the end of an order, at most three times. `mayStillGo` is asked right before the first byte of each
   * request; if it returns false, nothing more is sent (NotSentError, `tooLate`).
   */
  readonly cancelOrder?: (order: NamedOrder, mayStillGo?: () => boolean) => Promise<CancelAnswer>;

  constructor(profile: ServiceProfile, requests: Requests) {
    this.#profile = profile;
    this.#requests = requests;
    const { openOrders, orderInfo, orderHistory, symbols, depth, trades, status, feeCredits, cancelOrder } =
      profile.features;
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
    if (status) this.status = (gate) => this.#read("status", status, {}, decodeStatus, gate);
    if (feeCredits)
      this.feeCredits = (gate) => this.#read("feeCredits", feeCredits, {}, decodeFeeCredits, gate);
    if (cancelOrder) this.cancelOrder = (order, mayStillGo) => this.#cancel(cancelOrder, order, mayStillGo);
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
    mayStillGo?: () => boolean,
  ): Promise<CancelAnswer> {
    const call = this.#call("cancelOrder", capability, {
      sym: symbolFor(pair, capability),
      id: orderId,
      sd: side,
    });
    let requests = 0;
    // The transport asks right before the first byte, whoever repeats the request, and why.
    const mayGo = (): boolean => {
      if (requests >= MOST_CANCEL_REQUESTS || mayStillGo?.() === false) return false;
      requests += 1;
      return true;
    };
    // A later request that was not sent, or was refused, does not take back an earlier one.
    let doubt: ExchangeError | undefined;
    const send = async (): Promise<CancelAnswer> => {
      try {
        const { enveloped, status } = await this.#requests.ask({ ...call, mayStillGo: mayGo });
        if (!enveloped) throw unknownShape("cancelOrder", status);
        return "accepted";
      } catch (error) {
        if (error instanceof ExchangeError && !error.provesNothingHappened) doubt ??= error;
        throw error;
      }
    };
    try {
      return await this.#requests.repeated(send, () => requests < MOST_CANCEL_REQUESTS);
    } catch (error) {
      if (isCode(error, UNKNOWN_ORDER)) return "unknownOrder";
      throw doubt ?? error;
    }
  }

  #read<T>(
    name: CapabilityName,
    capability: EndpointForm,
    parameters: Parameters,
    decode: (payload: Payload, askedAt: number) => T | undefined,
    { beginAgain, mayStillGo }: ReadGate = {},
  ): Promise<T> {
    const call = { ...this.#call(name, capability, parameters), mayStillGo };
    return this.#requests.repeated(async () => {
      const askedAt = this.#requests.now();
      const payload = await this.#requests.ask(call);
      const read = decode(payload, askedAt);
      if (read === undefined) throw unknownShape(name, payload.status);
      return read;
    }, beginAgain);
  }

  #call(
    name: CapabilityName,
    { method, path, envelope }: EndpointForm,
    parameters: Parameters,
  ): CapabilityCall {
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
    const url = targetOf(this.#profile, path);
    if (method === "GET") for (const [key, value] of given) url.searchParams.append(key, String(value));
    // A private POST without parameters has an empty body, like that of the wallet (spec section 4).
    const body = given.length === 0 ? "" : JSON.stringify(Object.fromEntries(given));
    return {
      endpoint: name,
      method,
      url,
      ...(method === "POST" && { body: Buffer.from(body) }),
      generation: envelope,
      signed: !PUBLIC.has(name),
    };
  }

  /** Generation A counts buys in base, the others in quote, unless the profile says otherwise. */
  #amountOfBuys({ envelope }: EndpointForm): AmountOfBuys {
    return this.#profile.features.historyAmountOfBuys ?? (envelope === "A" ? "base" : "quote");
  }
}

const PUBLIC: ReadonlySet<CapabilityName> = new Set(["symbols", "depth", "trades", "status"]);

/** Generation A has numbered pages and times in seconds, the others cursors and times in ms. */
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

/** An answer that contradicts itself says nothing. */
function isCode(error: unknown, code: number): boolean {
  return error instanceof RefusedError && error.code === code && !error.contradictsItself;
}

function unknownShape(endpoint: Endpoint, status: number): UnreadableAnswerError {
  return new UnreadableAnswerError(endpoint, "shape", status, "JSON, but none of the known shapes");
}
