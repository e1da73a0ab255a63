import type { Wallet } from "../market/balance.ts";
import type { Candle } from "../market/candle.ts";
import type { Interval } from "../market/intervals.ts";
import type { LimitOrder, OrderReceipt, Side } from "../market/order.ts";
import type { Ticker } from "../market/ticker.ts";
import { symbolFor, type Pair } from "../market/pair.ts";
import { systemTimers, type After } from "../time/timers.ts";
import { Connection, type Method, type OpenConnection, type Target } from "../http/connection.ts";
import { PreparedConnection } from "../http/preparedConnection.ts";
import { MASK, redact } from "../http/redact.ts";
import { createTransport, type Transport } from "../http/transport.ts";
import { callOf, type EndpointCall } from "./call.ts";
import { EndpointReader, type Capabilities, type MarketCapabilities } from "./capabilities.ts";
import {
  endpoints,
  isSigned,
  maxBytesOf,
  placeEndpoints,
  type Endpoint,
  type EndpointForm,
} from "./endpoints.ts";
import {
  endpointError,
  ExchangeError,
  messageOf,
  NotSentError,
  RefusedError,
  unknownShape,
  UnreadableResponseError,
} from "./errors.ts";
import { HistoryReader } from "./historyReader.ts";
import type { ServiceProfile, WalletMethod } from "./profile.ts";
import { LONGEST_RATE_LIMIT_MS, RateLimits } from "./rateLimits.ts";
import { createReadRetry, type ReadGate, type ReadRetry, type ReadRetryOptions } from "./readRetry.ts";
import { RequestSigner, type SignedHeaders, type SignerOptions } from "./signedRequest.ts";
import { ServerClock, type ClockSample } from "./signing/serverClock.ts";
import { privateStreamOf, type OpenPrivateStream } from "./stream/openPrivateStream.ts";
import type { OpenSocket } from "./stream/socket.ts";
import { decodeServerTime, decodeWallet, encodeOrder } from "./wire/account.ts";
import { readResponse } from "./wire/envelope.ts";
import type { Payload } from "./wire/payload.ts";
import { withoutProofs } from "./wire/proofs.ts";
import { decodeReceipt } from "./wire/receipt.ts";
import { evidentOrder } from "./wire/symbolOrder.ts";
import type { SymbolsResponse } from "./wire/symbols.ts";
import { decodeTickers, symbolsIn } from "./wire/tickers.ts";

export interface MarketSnapshot {
  /** By pair key. */
  readonly tickers: ReadonlyMap<string, Ticker>;
  /** Number of pairs skipped because their entry could not be read. */
  readonly unreadable: number;
}

/** A connection opened in advance for one order. */
export type OrderConnection = Pick<PreparedConnection, "take" | "close">;

/** Counts, codes and causes; never a key, secret or signature. */
interface ClientLog {
  debug(message: string): void;
  warn(message: string): void;
}

export interface ClientOptions extends SignerOptions, ReadRetryOptions {
  readonly profile: ServiceProfile;
  /**
   * `User-Agent` of all requests: some front ends reject requests without one with 403. Default: Bidside without a version.
   */
  readonly userAgent?: string;
  /** Local clock, ms since the epoch. */
  readonly now: () => number;
  readonly log?: ClientLog;
  /** Rate limits shared by the clients of this window. Default: a new set. */
  readonly rateLimits?: RateLimits;
  readonly transport?: Transport;
  /** Opens a connection before an order is confirmed. Default: over the network. */
  readonly connect?: (target: Target) => OpenConnection;
  /** Opens stream sockets. Default: over the network. */
  readonly openSocket?: OpenSocket;
  /** Timers for the timeout of the secret storage, the age of prepared connections, and retries. */
  readonly after?: After;
}

const EXAMPLES = 3;
/** Asset names, pair names and list positions are too short to be a key, so they are logged unredacted. */
const SHORT_NAME = /^[\w.#-]{1,11}$/;
const EMPTY_WALLET = 17;
const METHOD_NOT_IT: ReadonlySet<number> = new Set([404, 405, 501]);

const JSON_HEADERS = { Accept: "application/json", "Content-Type": "application/json" };
const USER_AGENT = "Bidside";

interface PrivateResponse extends Pick<SignedHeaders, "repeats"> {
  readonly payload: Payload;
}

/** An exchange of this family. Every method rejects with an ExchangeError. */
export type ExchangeClient = Pick<HttpClient, keyof HttpClient>;

/** What a client does without a key. What needs one can only be tested for, to know whether the exchange offers it. */
export type MarketClient = Omit<
  ExchangeClient,
  "wallet" | "prepareOrder" | "placeOrder" | "privateStream" | "capabilities"
> & { readonly capabilities: MarketCapabilities; readonly privateStream?: unknown };

/** Creates a client of the exchange that `profile` describes (spec sections 4 and 5). */
export function createClient(options: ClientOptions): ExchangeClient {
  return new HttpClient(options);
}

class HttpClient {
  readonly #options: ClientOptions;
  readonly #rateLimits: RateLimits;
  readonly #transport: Transport;
  readonly #clock: ServerClock;
  readonly #signer: RequestSigner;
  readonly #repeated: ReadRetry;
  readonly #userAgent: string;
  /** The last log entry about skipped entries, by endpoint. */
  readonly #notes = new Map<Endpoint, string>();
  /** Keys of the pairs whose assets the exchange named in its latest listing. */
  #stated: ReadonlySet<string> | undefined;
  /** "auto" until a response reveals the method. */
  #walletMethod: WalletMethod;

  /**
   * Candles that begin between `from` and `to` (ms), sorted by time, as far back as the exchange keeps them. If there are
   * none, `orEarlier` reads an equal span that ends with the last candle before. An interval that the exchange does not serve is
   * aggregated from a finer one. Only if the profile has a history path.
   */
  readonly history?: (
    pair: Pair,
    interval: Interval,
    from: number,
    to: number,
    orEarlier?: boolean,
  ) => Promise<readonly Candle[]>;

  /** Opens the stream of the account's orders. Only if the profile has one. */
  readonly privateStream?: OpenPrivateStream;

  readonly capabilities: Capabilities;

  constructor(options: ClientOptions) {
    const { profile, now, log, userAgent = USER_AGENT } = options;
    this.#options = options;
    this.#userAgent = userAgent;
    this.#rateLimits = options.rateLimits ?? new RateLimits();
    this.#transport = options.transport ?? createTransport();
    this.#clock = new ServerClock({ measure: () => this.#readServerTime(), now });
    this.#signer = new RequestSigner(options, this.#clock);
    this.#repeated = createReadRetry(options, (text) => log?.debug(text));
    this.#walletMethod = profile.features.balances?.method ?? profile.walletMethod;
    const reader = new EndpointReader(profile, {
      now,
      repeated: this.#repeated,
      ask: (call) => this.#ask(call),
      decoded: (endpoint, result) => this.#decoded(endpoint, result),
    });
    this.capabilities = reader.capabilities();
    const { privateStream } = profile.features;
    if (privateStream) {
      const signTime = (): Promise<SignedHeaders> => this.#signer.signTime();
      this.privateStream = privateStreamOf({ ...options, userAgent, ...privateStream, signTime });
    }
    const { historyPath } = profile;
    if (historyPath !== undefined) {
      const form = { ...profile.endpoints.tickers, method: "GET", envelope: undefined } as const;
      const history = new HistoryReader((request) => {
        const { base, quote } = request.pair;
        const path = historyPath.replaceAll("{base}", base).replaceAll("{quote}", quote);
        return reader.read("history", endpoints.history.read, { ...form, path }, request);
      });
      this.history = (pair, interval, from, to, orEarlier) =>
        history.read({ pair, interval, from, to }, orEarlier);
    }
  }

  /** Server time in ms since the epoch, rounded down to the exchange's resolution. */
  async serverTime(): Promise<number> {
    return await this.#repeated(() => this.#readServerTime());
  }

  /** Retried after transient failures. */
  tickers({ mayRetry, mayStillSend }: ReadGate = {}): Promise<MarketSnapshot> {
    return this.#repeated(() => this.#readTickers(mayStillSend), mayRetry);
  }

  /** Includes reserved amounts if the exchange has an endpoint for them. Retried after transient failures. */
  wallet({ mayRetry, mayStillSend }: ReadGate = {}): Promise<Wallet> {
    return this.#repeated(() => this.#inTime(() => this.#readWallet(mayStillSend)), mayRetry);
  }

  /** The latest measurement of the exchange's clock. */
  get clock(): ClockSample | undefined {
    return this.#clock.sample;
  }

  /** Adopts another window's measurement if it is newer. */
  adoptClock(sample: ClockSample): void {
    this.#clock.adopt(sample);
  }

  /** Measures the clock again. Resolves to server minus local time in ms, at its lower bound. */
  measureClock(): Promise<number> {
    return this.#repeated(() => this.#clock.refresh());
  }

  /** Discards the measurement, because the local clock may have been set. The next signature measures again. */
  forgetClock(): void {
    this.#clock.forget();
  }

  /** When the endpoint's rate limit ends, ms since the epoch; undefined without one. */
  rateLimitedUntil(endpoint: Endpoint): number | undefined {
    return this.#rateLimits.of(this.#origin, endpoint, this.#options.now())?.retryAt;
  }

  /** Applies a rate limit that another window received, until `until` (ms since the epoch). */
  adoptRateLimit(endpoint: Endpoint, until: number, limitsHost: boolean): void {
    const now = this.#options.now();
    // A longer rate limit can only stem from a clock that was set back since.
    if (now < until && until <= now + LONGEST_RATE_LIMIT_MS) this.#addRateLimit(endpoint, until, limitsHost);
  }

  /**
   * Opens a connection while the user confirms an order, so that the order can be sent at once. Nothing is written to
   * it until then. Close it when the dialog ends, whatever the outcome.
   */
  prepareOrder(side: Side): OrderConnection {
    const target = this.#orderTarget(side);
    void this.#signer.prepare();
    const { now, after = systemTimers.after, connect: open = (to) => new Connection(to) } = this.#options;
    return new PreparedConnection({ open: () => open(target), now, after });
  }

  /**
   * Sends the order exactly once; it is never retried. `mayStillSend` is checked right before the first byte; if it returns
   * false, nothing is sent (NotSentError, `tooLate`). `prepared` is the result of `prepareOrder`. A sell order on a service
   * without asks is not sent (NotSentError, `notOffered`).
   */
  async placeOrder(
    order: LimitOrder,
    mayStillSend?: () => boolean,
    prepared?: OrderConnection,
  ): Promise<OrderReceipt> {
    const target = this.#orderTarget(order.side);
    const symbol = symbolFor(order.pair, this.#orderForm(order.side));
    try {
      const call = { ...target, body: encodeOrder({ ...order, symbol }), mayStillSend, prepared };
      const { payload, repeats } = await this.#sendPrivate(call);
      const receipt = decodeReceipt(payload, order) ?? unreadable(target.label, payload);
      return withoutRepeats(receipt, repeats);
    } catch (error) {
      // Measures the clock for the next order. Whether to send this one again is the trader's decision.
      if (isClockRefused(error)) void this.#remeasured();
      throw error;
    }
  }

  /** Sends a capability's request. A rejected timestamp proves that nothing happened, so it is retried once. */
  async #ask(call: EndpointCall): Promise<Payload> {
    if (!isSigned(call.label)) return this.#send(call);
    const { payload, repeats } = await this.#inTime(() => this.#sendPrivate(call));
    return withoutProofs(payload, repeats);
  }

  /** Sends one request and returns the content of its envelope. */
  async #send(call: EndpointCall, headers: Record<string, string> = {}): Promise<Payload> {
    const { label: endpoint, generation } = call;
    const limit = this.#rateLimits.of(this.#origin, endpoint, this.#options.now());
    if (limit)
      throw new NotSentError(endpoint, "rateLimit", "the exchange's rate limit is still running", limit);
    const response = await this.#transport({
      ...call,
      headers: { ...JSON_HEADERS, "User-Agent": this.#userAgent, ...headers },
      maxBytes: maxBytesOf(endpoint),
    }).catch((error: unknown) => {
      throw endpointError(endpoint, error);
    });
    const now = this.#options.now();
    try {
      const { pathname: path } = call.url;
      const serverNow = this.#clock.serverNow();
      return readResponse(response, { endpoint, path, generation, now, serverNow });
    } catch (error) {
      if (error instanceof ExchangeError && error.retryAt !== undefined)
        this.#addRateLimit(endpoint, error.retryAt, error.limitsHost);
      throw error;
    }
  }

  async #sendPrivate(call: EndpointCall): Promise<PrivateResponse> {
    const { headers, repeats } = await this.#signer.sign(call);
    return { payload: await this.#send(call, headers), repeats };
  }

  async #readServerTime(): Promise<number> {
    const payload = await this.#send(this.#target("serverTime", this.#options.profile.endpoints.serverTime));
    return decodeServerTime(payload) ?? unreadable("serverTime", payload);
  }

  async #readTickers(mayStillSend: ReadGate["mayStillSend"]): Promise<MarketSnapshot> {
    const form = this.#options.profile.endpoints.tickers;
    const payload = await this.#send({ ...this.#target("tickers", form), mayStillSend });
    const evident = evidentOrder(symbolsIn(payload), this.#stated);
    if (evident !== undefined && evident !== form.symbolOrder) {
      const detail = `its symbols are ${evident}, and the profile says ${form.symbolOrder}`;
      throw new UnreadableResponseError("tickers", "symbolOrder", payload.status, detail);
    }
    const { tickers, unreadable: skipped } =
      decodeTickers(payload, form.symbolOrder) ?? unreadable("tickers", payload);
    this.#note("tickers", skipped);
    return { tickers, unreadable: skipped.length };
  }

  /** If the exchange rejects the timestamp, measures its clock and sends the request once more. */
  async #inTime<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (!isClockRefused(error) || !(await this.#remeasured())) throw error;
      return request();
    }
  }

  async #readWallet(mayStillSend: ReadGate["mayStillSend"]): Promise<Wallet> {
    let payload: Payload;
    try {
      ({ payload } = await this.#askWallet(mayStillSend));
    } catch (error) {
      if (isEmptyWallet(error)) return new Map();
      throw error;
    }
    const { wallet, unreadable: skipped } = decodeWallet(payload) ?? unreadable("wallet", payload);
    this.#note("wallet", skipped);
    return wallet;
  }

  async #askWallet(mayStillSend: ReadGate["mayStillSend"]): Promise<PrivateResponse> {
    if (this.#walletMethod !== "auto") return this.#askWalletBy(this.#walletMethod, mayStillSend);
    try {
      return await this.#askWalletBy("GET", mayStillSend);
    } catch (error) {
      if (!isWrongMethod(error)) throw error;
      this.#options.log?.debug(`${messageOf(error)}; trying POST`);
      return await this.#askWalletBy("POST", mayStillSend);
    }
  }

  /** Remembers the method once it has worked. */
  async #askWalletBy(method: Method, mayStillSend: ReadGate["mayStillSend"]): Promise<PrivateResponse> {
    const { endpoints, features } = this.#options.profile;
    const form = { ...(features.balances ?? endpoints.wallet), method };
    const response = await this.#sendPrivate({ ...this.#target("wallet", form), mayStillSend });
    this.#walletMethod = method;
    return response;
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

  #orderTarget(side: Side): EndpointCall {
    return this.#target(placeEndpoints[side], this.#orderForm(side));
  }

  #target(endpoint: Endpoint, form: EndpointForm): EndpointCall {
    return callOf(endpoint, this.#options.profile.baseUrl, form);
  }

  #addRateLimit(endpoint: Endpoint, until: number, limitsHost: boolean): void {
    const limited = limitsHost ? undefined : endpoint;
    this.#rateLimits.add(this.#origin, limited, this.#options.now(), until);
  }

  get #origin(): string {
    return this.#options.profile.baseUrl.origin;
  }

  /** Logs the entries that a response lacks, and keeps the pairs whose assets it states. */
  #decoded(endpoint: Endpoint, result: unknown): void {
    const { unreadable: skipped, stated } = result as Partial<SymbolsResponse>;
    if (Array.isArray(skipped)) this.#note(endpoint, skipped);
    if (endpoint === "symbols") this.#stated = stated;
  }

  /** Logs skipped entries, once per distinct list. */
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

/** Drops text that echoes the credentials: it is neither an id nor a value, and must not be stored. */
function withoutRepeats(
  { orderId, clientId, differences }: OrderReceipt,
  repeats: (text: string) => boolean,
): OrderReceipt {
  return {
    orderId: orderId !== undefined && repeats(orderId) ? undefined : orderId,
    ...(clientId !== undefined && !repeats(clientId) && { clientId }),
    ...(differences && {
      differences: differences.map((each) => (repeats(each.returned) ? { ...each, returned: MASK } : each)),
    }),
  };
}

function unreadable(endpoint: Endpoint, { status }: Payload): never {
  throw unknownShape(endpoint, status);
}

/** Some exchanges report an empty wallet as an error. */
function isEmptyWallet(error: unknown): boolean {
  return error instanceof RefusedError && error.code === EMPTY_WALLET;
}

function isClockRefused(error: unknown): boolean {
  return error instanceof RefusedError && error.about === "clock";
}

function isWrongMethod(error: unknown): boolean {
  return (
    (error instanceof RefusedError || error instanceof UnreadableResponseError) &&
    METHOD_NOT_IT.has(error.httpStatus)
  );
}
