import type { Wallet } from "../market/balance.ts";
import type { Candle, Interval } from "../market/candle.ts";
import type { Endpoint } from "../market/endpoints.ts";
import type { LimitOrder, OrderReceipt, Side } from "../market/order.ts";
import type { Ticker } from "../market/ticker.ts";
import { symbolFor, type Pair } from "../market/pair.ts";
import type { EndpointForm } from "./features.ts";
import { messageOf, NotSentError, RefusedError, UnreadableAnswerError } from "./errors.ts";
import { CapabilityClient, type Capabilities, type CapabilityCall } from "./capabilities.ts";
import { afterTime, type After } from "./http/after.ts";
import { Connection, type OpenConnection, type Target } from "./http/connection.ts";
import { PreparedConnection } from "./http/preparedConnection.ts";
import { createTransport, type HttpRequest, type Transport } from "./http/transport.ts";
import { targetOf, type ServiceProfile, type WalletMethod } from "./profile.ts";
import { LONGEST_BLOCK_MS, RateLimits } from "./rateLimits.ts";
import { createReadRetry, type ReadGate, type ReadRetry, type ReadRetryOptions } from "./readRetry.ts";
import { MASK, redact } from "./redact.ts";
import { RequestSigner, type SignedHeaders, type SignerOptions } from "./signedRequest.ts";
import { privateStreamOf, type OpenPrivateStream } from "./stream/openPrivateStream.ts";
import type { OpenSocket } from "./stream/socket.ts";
import { ServerClock, type ClockSample, type ServerTime } from "./signing/serverClock.ts";
import type { Method } from "./signing/signature.ts";
import { decodeServerTime, decodeWallet, encodeOrder } from "./wire/account.ts";
import { readResponse, type Payload, type ResponseContext } from "./wire/envelope.ts";
import { decodeHistory, historyTarget, type HistoryRequest } from "./wire/history.ts";
import { withoutProofs } from "./wire/proofs.ts";
import { decodeReceipt } from "./wire/receipt.ts";
import { evidentOrder } from "./wire/symbolOrder.ts";
import { decodeTickers, symbolsIn } from "./wire/tickers.ts";

/** The whole market at one moment. */
export interface MarketSnapshot {
  /** Keyed by pair key. */
  readonly tickers: ReadonlyMap<string, Ticker>;
  /** How many pairs were left out because their entry could not be read. */
  readonly unreadable: number;
}

/** A connection for one order, opened in advance. */
export type PreparedOrder = Pick<PreparedConnection, "take" | "close">;

/** The client's log: counts, codes and causes, never a key, secret or signature. */
interface ClientLog {
  debug(message: string): void;
  warn(message: string): void;
}

export interface ClientOptions extends SignerOptions, ReadRetryOptions {
  readonly profile: ServiceProfile;
  /** The `User-Agent` of all requests: some front ends answer 403 without one. Default: Bidside without a version. */
  readonly userAgent?: string;
  /** Local clock, ms since the epoch. */
  readonly now: () => number;
  readonly log?: ClientLog;
  /** Rate limits that other clients of this window met; default: own ones. */
  readonly blocks?: RateLimits;
  readonly transport?: Transport;
  /** Opens a connection before an order is confirmed; default: over the network. */
  readonly connect?: (target: Target) => OpenConnection;
  /** Opens the sockets of streams; default: over the network. */
  readonly openSocket?: OpenSocket;
  /** Waits for the keyring, for the age of such a connection, and before a read is repeated. */
  readonly after?: After;
}

const MAX_BYTES = 1024 * 1024;
const MAX_TICKER_BYTES = 16 * MAX_BYTES;
const EXAMPLES = 3;
/** The name of an asset, a pair or a position in a list. It is too short for a key, so it is logged as it is. */
const SHORT_NAME = /^[\w.#-]{1,11}$/;
const EMPTY_WALLET = 17;
const METHOD_NOT_IT: ReadonlySet<number> = new Set([404, 405, 501]);

const JSON_HEADERS = { Accept: "application/json", "Content-Type": "application/json" };
const USER_AGENT = "Bidside";

type Call = Omit<HttpRequest, "headers" | "maxBytes"> & Pick<ResponseContext, "generation">;

interface PrivateAnswer extends Pick<SignedHeaders, "repeats"> {
  readonly payload: Payload;
}

/** An exchange of this family, as the desk uses it. Every method rejects with an ExchangeError. */
export type ExchangeClient = Pick<HttpClient, keyof HttpClient>;

/** A client of the exchange that `profile` describes (spec sections 4 and 5). */
export function createClient(options: ClientOptions): ExchangeClient {
  return new HttpClient(options);
}

class HttpClient {
  readonly #options: ClientOptions;
  readonly #blocks: RateLimits;
  readonly #transport: Transport;
  readonly #clock: ServerClock;
  readonly #signer: RequestSigner;
  readonly #repeated: ReadRetry;
  readonly #userAgent: string;
  /** The last log entry about the unreadable entries of an endpoint. */
  readonly #notes = new Map<Endpoint, string>();
  /** The keys of the pairs whose assets the exchange named, as it listed them last. */
  #stated: ReadonlySet<string> | undefined;
  /** "auto" until an answer shows the method. */
  #walletMethod: WalletMethod;

  /**
   * Candles of a pair that begin between `from` and `to` (ms), ordered by time, as far as the exchange keeps them.
   * Only if the profile has a history path.
   */
  readonly history?: (pair: Pair, interval: Interval, from: number, to: number) => Promise<readonly Candle[]>;

  /** Opens the stream of the own orders. Only if the profile has it. */
  readonly privateStream?: OpenPrivateStream;

  /** What the exchange offers beyond this class, as far as the profile says so. */
  readonly capabilities: Capabilities;

  constructor(options: ClientOptions) {
    const { profile, now, log, userAgent = USER_AGENT } = options;
    this.#options = options;
    this.#userAgent = userAgent;
    this.#blocks = options.blocks ?? new RateLimits();
    this.#transport = options.transport ?? createTransport();
    this.#clock = new ServerClock({ measure: () => this.#readServerTime(), now });
    this.#signer = new RequestSigner(options, this.#clock);
    this.#repeated = createReadRetry(options, (text) => log?.debug(text));
    this.#walletMethod = profile.features.balances?.method ?? profile.walletMethod;
    this.capabilities = new CapabilityClient(profile, {
      now,
      repeated: this.#repeated,
      ask: (call) => this.#ask(call),
      listed: ({ stated }) => (this.#stated = stated),
      note: (endpoint, unreadable) => this.#note(endpoint, unreadable),
    });
    const { privateStream } = profile.features;
    if (privateStream) {
      const signTime = (): Promise<SignedHeaders> => this.#signer.signTime();
      this.privateStream = privateStreamOf({ ...options, userAgent, ...privateStream, signTime });
    }
    const { historyPath } = profile;
    if (historyPath !== undefined) {
      this.history = (pair, interval, from, to) =>
        this.#repeated(() => this.#readHistory(historyPath, { pair, interval, from, to }));
    }
  }

  /** Server time in ms since the epoch, at the exchange's own resolution. */
  async serverTime(): Promise<number> {
    return (await this.#repeated(() => this.#readServerTime())).serverMs;
  }

  /** A failed read is tried again. */
  tickers({ beginAgain, mayStillGo }: ReadGate = {}): Promise<MarketSnapshot> {
    return this.#repeated(() => this.#readTickers(mayStillGo), beginAgain);
  }

  /** From the balances with their reserved part, if the exchange offers these. A failed read is tried again. */
  wallet({ beginAgain, mayStillGo }: ReadGate = {}): Promise<Wallet> {
    return this.#repeated(() => this.#inTime(() => this.#readWallet(mayStillGo)), beginAgain);
  }

  /** The newest measurement of the exchange's clock. */
  get clock(): ClockSample | undefined {
    return this.#clock.sample;
  }

  /** Takes a measurement from another window, if it is newer. */
  adoptClock(sample: ClockSample): void {
    this.#clock.adopt(sample);
  }

  /** Measures the clock again: server minus local time in ms, with half the round trip taken off. */
  measureClock(): Promise<number> {
    return this.#repeated(() => this.#clock.refresh());
  }

  /** The local clock may have been set: the exchange's clock is measured before the next signature. */
  forgetClock(): void {
    this.#clock.forget();
  }

  /** When the rate limit on an endpoint ends, ms since the epoch; undefined without one. */
  blockedUntil(endpoint: Endpoint): number | undefined {
    return this.#blocks.until(this.#blockOn(endpoint), this.#options.now());
  }

  /** No request to this endpoint before `until`, ms since the epoch, because another window met a rate limit. */
  adoptBlock(endpoint: Endpoint, until: number): void {
    const now = this.#options.now();
    // A longer rate limit comes from a clock that has been set back since.
    if (now < until && until <= now + LONGEST_BLOCK_MS) this.#blocks.add(this.#blockOn(endpoint), now, until);
  }

  /**
   * Opens a connection for one order that a person is confirming now, so that the order can be sent as soon as it is
   * confirmed. No part of the order is written. Close the connection when the question is answered, whatever the
   * answer.
   */
  prepareOrder(side: Side): PreparedOrder {
    const target = this.#orderTarget(side);
    void this.#signer.prepare();
    const { now, after = afterTime, connect: open = (to) => new Connection(to) } = this.#options;
    return new PreparedConnection({ open: () => open(target), now, after });
  }

  /**
   * Sends the order once. It is never sent again, whatever happens. `mayStillGo` is asked right before the first byte
   * is written; if it returns false, nothing is sent (NotSentError, `tooLate`). `prepared` is the connection
   * of `prepareOrder`. An ask on a service that offers none is not sent (NotSentError, `notOffered`).
   */
  async placeOrder(
    order: LimitOrder,
    mayStillGo?: () => boolean,
    prepared?: PreparedOrder,
  ): Promise<OrderReceipt> {
    const target = this.#orderTarget(order.side);
    const symbol = symbolFor(order.pair, this.#orderForm(order.side));
    try {
      const call = { ...target, body: encodeOrder({ ...order, symbol }), mayStillGo, prepared };
      const { payload, repeats } = await this.#sendPrivate(call);
      const receipt = decodeReceipt(payload, order) ?? unknownShape(target.endpoint, payload);
      return withoutRepeats(receipt, repeats);
    } catch (error) {
      // Measured for the next order. This order is not sent again: that is the trader's decision.
      if (isClockRefused(error)) void this.#remeasured();
      throw error;
    }
  }

  /** One request about a capability. A refused timestamp is proof that nothing happened: it is asked once more. */
  async #ask({ signed, ...call }: CapabilityCall): Promise<Payload> {
    if (!signed) return this.#send(call);
    const { payload, repeats } = await this.#inTime(() => this.#sendPrivate(call));
    return withoutProofs(payload, repeats);
  }

  /** One request, and its answer without the envelope. */
  async #send(call: Call, headers: Record<string, string> = {}): Promise<Payload> {
    const { endpoint, generation } = call;
    const block = this.#blockOn(endpoint);
    const retryAt = this.#blocks.until(block, this.#options.now());
    if (retryAt !== undefined) {
      throw new NotSentError(endpoint, "blocked", "the service's rate block is still running", { retryAt });
    }
    const isTickers = endpoint === "tickers";
    const answer = await this.#transport({
      ...call,
      headers: { ...JSON_HEADERS, "User-Agent": this.#userAgent, ...headers },
      maxBytes: isTickers ? MAX_TICKER_BYTES : MAX_BYTES,
    });
    const now = this.#options.now();
    const numbers = isTickers || endpoint === "history" ? "plain" : "exact";
    try {
      const { pathname: path } = call.url;
      const serverNow = this.#clock.serverNow();
      return readResponse(answer, { endpoint, path, generation, numbers, now, serverNow });
    } catch (error) {
      if (error instanceof RefusedError && error.retryAt !== undefined)
        this.#blocks.add(block, this.#options.now(), error.retryAt);
      throw error;
    }
  }

  async #sendPrivate(call: Call): Promise<PrivateAnswer> {
    const { headers, repeats } = await this.#signer.sign(call);
    return { payload: await this.#send(call, headers), repeats };
  }

  async #readServerTime(): Promise<ServerTime> {
    const payload = await this.#send(this.#target("serverTime", this.#options.profile.endpoints.serverTime));
    return decodeServerTime(payload) ?? unknownShape("serverTime", payload);
  }

  async #readTickers(mayStillGo: ReadGate["mayStillGo"]): Promise<MarketSnapshot> {
    const form = this.#options.profile.endpoints.tickers;
    const payload = await this.#send({ ...this.#target("tickers", form), mayStillGo });
    const evident = evidentOrder(symbolsIn(payload), this.#stated);
    if (evident !== undefined && evident !== form.symbolOrder) {
      const detail = `its symbols are ${evident}, and the profile says ${form.symbolOrder}`;
      throw new UnreadableAnswerError("tickers", "symbolOrder", payload.status, detail);
    }
    const { tickers, unreadable } =
      decodeTickers(payload, form.symbolOrder) ?? unknownShape("tickers", payload);
    this.#note("tickers", unreadable);
    return { tickers, unreadable: unreadable.length };
  }

  async #readHistory(path: string, request: HistoryRequest): Promise<readonly Candle[]> {
    const url = historyTarget(this.#options.profile, path, request);
    const payload = await this.#send({ endpoint: "history", method: "GET", url });
    const { candles, unreadable } = decodeHistory(payload, request) ?? unknownShape("history", payload);
    this.#note("history", unreadable);
    return candles;
  }

  /** If the exchange refuses the timestamp, its clock is measured and the request is sent once more. */
  async #inTime<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (!isClockRefused(error) || !(await this.#remeasured())) throw error;
      return request();
    }
  }

  async #readWallet(mayStillGo: ReadGate["mayStillGo"]): Promise<Wallet> {
    let payload: Payload;
    try {
      ({ payload } = await this.#askWallet(mayStillGo));
    } catch (error) {
      if (isEmptyWallet(error)) return new Map();
      throw error;
    }
    const { wallet, unreadable } = decodeWallet(payload) ?? unknownShape("wallet", payload);
    this.#note("wallet", unreadable);
    return wallet;
  }

  async #askWallet(mayStillGo: ReadGate["mayStillGo"]): Promise<PrivateAnswer> {
    if (this.#walletMethod !== "auto") return this.#askWalletBy(this.#walletMethod, mayStillGo);
    try {
      return await this.#askWalletBy("GET", mayStillGo);
    } catch (error) {
      if (!saysMethodIsNotIt(error)) throw error;
      this.#options.log?.debug(`${messageOf(error)}; trying POST`);
      return await this.#askWalletBy("POST", mayStillGo);
    }
  }

  /** The method that was answered is used from then on. */
  async #askWalletBy(method: Method, mayStillGo: ReadGate["mayStillGo"]): Promise<PrivateAnswer> {
    const { endpoints, features } = this.#options.profile;
    const form = { ...(features.balances ?? endpoints.wallet), method };
    const answer = await this.#sendPrivate({ ...this.#target("wallet", form), mayStillGo });
    this.#walletMethod = method;
    return answer;
  }

  async #remeasured(): Promise<boolean> {
    try {
      await this.#clock.refresh();
      return true;
    } catch (error) {
      this.#options.log?.warn(`the clock was refused and could not be measured again: ${messageOf(error)}`);
      return false;
    }
  }

  #orderForm(side: Side): EndpointForm {
    const { endpoints, features } = this.#options.profile;
    const form = side === "buy" ? endpoints.placeBid : features.placeAsk;
    if (!form) throw new NotSentError("placeAsk", "notOffered", "the profile has no path for asks");
    return form;
  }

  #orderTarget(side: Side): Call {
    return this.#target(side === "buy" ? "placeBid" : "placeAsk", this.#orderForm(side));
  }

  /** A request without parameters. A POST has an empty body, signed as the empty string (spec section 4). */
  #target(endpoint: Endpoint, { method, path, envelope }: EndpointForm): Call {
    const url = targetOf(this.#options.profile, path);
    const body = method === "POST" ? Buffer.alloc(0) : undefined;
    return { endpoint, method, url, body, generation: envelope };
  }

  #blockOn(endpoint: Endpoint): string {
    return `${this.#options.profile.baseUrl.origin} ${endpoint}`;
  }

  /** Logs the omitted entries of an answer: once, and again only if it differs. */
  #note(endpoint: Endpoint, unreadable: readonly string[]): void {
    const names = unreadable.slice(0, EXAMPLES);
    const seen = [unreadable.length, ...names].join(" ");
    if (this.#notes.get(endpoint) === seen) return;
    this.#notes.set(endpoint, seen);
    if (unreadable.length === 0) return;
    const examples = names
      .map((name) => JSON.stringify(SHORT_NAME.test(name) ? name : redact(name)))
      .join(", ");
    this.#options.log?.warn(`${endpoint}: ${unreadable.length} unreadable, left out: ${examples}`);
  }
}

/** A text that repeats a proof of identity is no id and no value, and must not be kept on the disk. */
function withoutRepeats(
  { orderId, clientId, differences }: OrderReceipt,
  repeats: (text: string) => boolean,
): OrderReceipt {
  return {
    orderId: orderId !== undefined && repeats(orderId) ? undefined : orderId,
    ...(clientId !== undefined && !repeats(clientId) && { clientId }),
    ...(differences && {
      differences: differences.map((each) => (repeats(each.told) ? { ...each, told: MASK } : each)),
    }),
  };
}

function unknownShape(endpoint: Endpoint, { status }: Payload): never {
  throw new UnreadableAnswerError(endpoint, "shape", status, "JSON, but none of the known shapes");
}

/** Some exchanges refuse to show a wallet that has nothing in it. */
function isEmptyWallet(error: unknown): boolean {
  return error instanceof RefusedError && error.code === EMPTY_WALLET;
}

function isClockRefused(error: unknown): boolean {
  return error instanceof RefusedError && error.about === "clock";
}

function saysMethodIsNotIt(error: unknown): boolean {
  return (
    (error instanceof RefusedError || error instanceof UnreadableAnswerError) &&
    METHOD_NOT_IT.has(error.httpStatus)
  );
}
