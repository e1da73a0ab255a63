import type { IRetryPolicyConfig } from "cockatiel";
import type { Wallet } from "../market/balance.ts";
import type { Candle, Interval } from "../market/candle.ts";
import type { BidReceipt, LimitBid } from "../market/order.ts";
import type { Ticker } from "../market/ticker.ts";
import { afterTime, type After } from "./after.ts";
import { readAnswer, type Payload } from "./answer.ts";
import { createServerClock, type ClockReading, type ServerTime } from "./clock.ts";
import { Connection, type Target } from "./connection.ts";
import { messageOf, NotSentError, RefusedError, UnreadableAnswerError, type Endpoint } from "./errors.ts";
import { inTime } from "./inTime.ts";
import { PreparedConnection } from "./preparedConnection.ts";
import { requestTarget, type Paths, type ServiceProfile } from "./profile.ts";
import { MASK, redact } from "./redact.ts";
import { LONGEST_BLOCK_MS, RateBlocks } from "./rateBlock.ts";
import { createReadRetry } from "./readRetry.ts";
import type { Credentials } from "./secret.ts";
import { privateHeaders, signature, usable, type Method } from "./sign.ts";
import { createTransport, type Transport } from "./transport.ts";
import { decodeServerTime, decodeWallet, encodeBid } from "./wire.ts";
import type { HistoryWish } from "./wireHistory.ts";
import { decodeReceipt } from "./wireReceipt.ts";
import { decodeTickers } from "./wireTickers.ts";

/** One reading of the whole market. */
export interface TickerReading {
  /** Keyed by wire symbol. */
  readonly tickers: ReadonlyMap<string, Ticker>;
  /** How many pairs were left out because their entry could not be read. */
  readonly unreadable: number;
}

/** The way for one bid: its connection, opened ahead. */
export interface PreparedBid {
  take(target: Target): Connection | undefined;
  close(): void;
}

/** A service of this family, as the desk uses it. Every method rejects with an ExchangeError. */
export interface ExchangeClient {
  /** Server time in ms since the epoch, at the service's own resolution. */
  serverTime(): Promise<number>;
  /** A read that failed is tried again, where `mayRepeat` still allows it then. */
  tickers(mayRepeat?: () => boolean): Promise<TickerReading>;
  wallet(mayRepeat?: () => boolean): Promise<Wallet>;
  /** The newest measurement of the service's clock. */
  readonly clock: ClockReading | undefined;
  /** Takes over a measurement that another window made, where it is newer. */
  adoptClock(reading: ClockReading): void;
  /** Measures the clock anew: server minus local time in ms, half the round trip taken off. */
  measureClock(): Promise<number>;
  /** The local clock may have been set: the service's is measured before anything else is signed. */
  forgetClock(): void;
  /** Nothing is asked of this endpoint before `until`, ms since the epoch: another window was told so. */
  adoptBlock(endpoint: Endpoint, until: number): void;
  /**
   * Opens the way for one bid that a person is asked about now, so that it leaves as soon as it is confirmed. Nothing of it is
   * written. To be closed when the question is answered, whatever the answer.
   */
  prepareBid(): PreparedBid;
  /**
   * Sends the bid once. It is never sent again, whatever happens. `mayStillGo` is asked right before its first byte
   * leaves; where it says no, nothing is sent (NotSentError, `tooLate`). `prepared` is what `prepareBid` opened for it.
   */
  placeBid(bid: LimitBid, mayStillGo?: () => boolean, prepared?: PreparedBid): Promise<BidReceipt>;
  /**
   * Candles of a pair that begin from `from` to `to` (ms), by time, as far as the service keeps them. Only where the
   * profile has a history path.
   */
  readonly history?: (
    symbol: string,
    interval: Interval,
    from: number,
    to: number,
  ) => Promise<readonly Candle[]>;
}

/** The client over HTTP. */
export interface SignedClient extends ExchangeClient {
  /** Ms to add to the local clock to get the service's; undefined before it was first measured. */
  readonly clockOffset: number | undefined;
  /** Measures the service's clock now; resolves to the offset in ms. */
  measureClock(): Promise<number>;
}

/** Where the client writes what it met: counts, codes and causes, never a key, secret or signature. */
interface ClientLog {
  debug(message: string): void;
  warn(message: string): void;
}

export interface ClientOptions {
  readonly profile: ServiceProfile;
  /** Asked for right before each signature; what it gives is not kept. Undefined where none are stored. */
  readonly credentials: () => Promise<Credentials | undefined>;
  /** How long to wait for them, in ms: 10,000 if not given. A keyring may wait for its password for hours. */
  readonly credentialsMs?: number;
  /** Local clock, ms since the epoch. */
  readonly now: () => number;
  readonly log?: ClientLog;
  /** The blocks that other clients of this window met; own ones if not given. */
  readonly blocks?: RateBlocks;
  readonly transport?: Transport;
  /** Of the connections that are opened ahead of a bid. */
  readonly after?: After;
  /** How often and after what waits a read is tried again. A bid never is. */
  readonly readRetry?: IRetryPolicyConfig;
}

const MAX_BYTES = 1024 * 1024;
const MAX_TICKER_BYTES = 16 * MAX_BYTES;
const EXAMPLES = 3;
/** Of an asset, a pair or a place in a list: too short for a key, so logged as it is. */
const SHORT_NAME = /^[\w.#-]{1,11}$/;
/** Of the oldest generation and of the newest. */
const INVALID_TIMESTAMP: ReadonlySet<number | string> = new Set([8, "V1004"]);
const CREDENTIALS_MS = 10_000;
const METHOD_NOT_IT: ReadonlySet<number> = new Set([404, 405, 501]);

const JSON_HEADERS = { Accept: "application/json", "Content-Type": "application/json" };

interface Call {
  readonly endpoint: keyof Paths;
  readonly method: Method;
  readonly body?: Buffer | undefined;
  readonly mayStillGo?: (() => boolean) | undefined;
  readonly prepared?: PreparedBid | undefined;
}

/** A call as it is sent: to its endpoint's own path, or for a history to the address of what is wanted. */
type AddressedCall = Call | (Omit<Call, "endpoint"> & { readonly endpoint: "history"; readonly url: URL });

/** A client of the service that `profile` describes (spec sections 4 and 5). */
export function createClient(options: ClientOptions): SignedClient {
  const { profile, now, log, transport = createTransport(), blocks = new RateBlocks() } = options;
  const { after = afterTime } = options;
  /** A bid that was confirmed must not go out whenever the keyring is unlocked at last. */
  const credentials = (): Promise<Credentials | undefined> =>
    inTime(options.credentials(), options.credentialsMs ?? CREDENTIALS_MS);
  const blockOn = (endpoint: Endpoint): string => `${profile.baseUrl.origin} ${endpoint}`;
  const clock = createServerClock({ measure: readServerTime, now });
  const notes = new Map<Endpoint, string>();
  const { historyPath } = profile;
  const repeated = createReadRetry(options.readRetry, (text) => log?.debug(text));
  let walletMethod = profile.walletMethod === "auto" ? undefined : profile.walletMethod;

  /** One request, one answer out of its envelope. */
  async function send(call: AddressedCall, headers: Record<string, string> = {}): Promise<Payload> {
    const { endpoint, method, body, mayStillGo, prepared } = call;
    const retryAt = blocks.until(blockOn(endpoint), now());
    if (retryAt !== undefined) {
      throw new NotSentError(endpoint, "blocked", "the service's rate block is still running", { retryAt });
    }
    const isTickers = endpoint === "tickers";
    const numbers = isTickers || endpoint === "history" ? "plain" : "exact";
    const answer = await transport({
      endpoint,
      method,
      url: call.endpoint === "history" ? call.url : requestTarget(profile, call.endpoint),
      headers: { ...JSON_HEADERS, ...headers },
      body,
      mayStillGo,
      prepared,
      maxBytes: isTickers ? MAX_TICKER_BYTES : MAX_BYTES,
    });
    try {
      return readAnswer(answer, { endpoint, numbers, now: now(), serverNow: clock.serverNow() });
    } catch (error) {
      const { retryAt } = error instanceof RefusedError ? error : {};
      if (retryAt !== undefined) blocks.add(blockOn(endpoint), now(), retryAt);
      throw error;
    }
  }

  /** Signs and sends. `repeats` tells whether a text holds the key, the secret or the signature of the request. */
  async function sendPrivate(call: Call): Promise<{ payload: Payload; repeats: (text: string) => boolean }> {
    const { endpoint, method, body } = call;
    // Asked for here too, so that nothing is measured for nobody; asked again below, because measuring takes a while.
    if (!clock.fresh) await readCredentials(endpoint);
    let pair: Credentials;
    let serverMs: number | undefined;
    do {
      await readyClock(endpoint);
      pair = await readCredentials(endpoint);
      // Unknown again where it was forgotten while a keyring waited for its owner.
      serverMs = clock.serverNow();
    } while (serverMs === undefined);
    const { apiKey, apiSecret } = pair;
    const [key, secret] = [apiKey.reveal(), apiSecret.reveal()];
    const { pathname, search } = requestTarget(profile, endpoint);
    const timestamp = String(serverMs);
    const sign = signature(secret, { timestamp, method, path: pathname + search, body });
    const headers = privateHeaders(profile.headerPrefix, key, timestamp, sign);
    const payload = await send(call, headers);
    return { payload, repeats: (text) => [key, secret, sign].some((each) => text.includes(each)) };
  }

  async function readCredentials(endpoint: Endpoint): Promise<Credentials> {
    let pair: Credentials | undefined;
    try {
      pair = await credentials();
    } catch {
      // Whatever the keyring says stays out of the error: it handles the secret.
      const detail = "the stored API key and secret could not be read";
      throw new NotSentError(endpoint, "credentialsUnreadable", detail);
    }
    if (!pair) throw new NotSentError(endpoint, "noCredentials", "no API key and secret are stored");
    if (usable(pair)) return pair;
    const detail = "the API key or secret is empty or contains characters that a key cannot have";
    throw new NotSentError(endpoint, "badCredentials", detail);
  }

  async function readyClock(endpoint: Endpoint): Promise<void> {
    try {
      await clock.ready();
    } catch (cause) {
      throw new NotSentError(endpoint, "clockUnknown", "server time could not be measured", { cause });
    }
  }

  async function readServerTime(): Promise<ServerTime> {
    const payload = await send({ endpoint: "serverTime", method: "GET" });
    return decodeServerTime(payload) ?? unknownShape("serverTime", payload);
  }

  async function readTickers(): Promise<TickerReading> {
    const payload = await send({ endpoint: "tickers", method: "GET" });
    const { tickers, unreadable } =
      decodeTickers(payload, profile.symbolOrder) ?? unknownShape("tickers", payload);
    note("tickers", unreadable);
    return { tickers, unreadable: unreadable.length };
  }

  async function readHistory(path: string, wish: HistoryWish): Promise<readonly Candle[]> {
    const { decodeHistory, historyTarget } = await import("./wireHistory.ts");
    const url = historyTarget(profile, path, wish);
    const payload = await send({ endpoint: "history", method: "GET", url });
    const { candles, unreadable } = decodeHistory(payload, wish) ?? unknownShape("history", payload);
    note("history", unreadable);
    return candles;
  }

  async function readWallet(): Promise<Wallet> {
    const { payload } = await askWallet();
    const { wallet, unreadable } = decodeWallet(payload) ?? unknownShape("wallet", payload);
    note("wallet", unreadable);
    return wallet;
  }

  function askWallet(): ReturnType<typeof sendPrivate> {
    return walletMethod ? sendPrivate(walletCall(walletMethod)) : findWalletMethod();
  }

  async function findWalletMethod(): ReturnType<typeof sendPrivate> {
    try {
      const answer = await sendPrivate(walletCall("GET"));
      walletMethod = "GET";
      return answer;
    } catch (error) {
      if (!saysMethodIsNotIt(error)) throw error;
      log?.debug(`${messageOf(error)}; trying POST`);
    }
    const answer = await sendPrivate(walletCall("POST"));
    walletMethod = "POST";
    return answer;
  }

  async function readWalletInTime(): Promise<Wallet> {
    try {
      return await readWallet();
    } catch (error) {
      if (!isClockRefused(error) || !(await remeasured())) throw error;
      return readWallet();
    }
  }

  async function remeasured(): Promise<boolean> {
    try {
      await clock.refresh();
      return true;
    } catch (error) {
      log?.warn(`the clock was refused and could not be measured again: ${messageOf(error)}`);
      return false;
    }
  }

  function prepareBid(): PreparedBid {
    void readyToSign();
    const target = { endpoint: "placeBid", method: "POST", url: requestTarget(profile, "placeBid") } as const;
    return new PreparedConnection({ open: () => new Connection(target), now, after });
  }

  /** Measures the clock where a signature would have to wait for that. What goes wrong shows when something is signed. */
  async function readyToSign(): Promise<void> {
    try {
      if (!clock.fresh && (await credentials())) await clock.ready();
    } catch {
      // Nobody waits for it.
    }
  }

  async function placeBid(
    bid: LimitBid,
    mayStillGo?: () => boolean,
    prepared?: PreparedBid,
  ): Promise<BidReceipt> {
    const call: Call = { endpoint: "placeBid", method: "POST", body: encodeBid(bid), mayStillGo, prepared };
    try {
      const { payload, repeats } = await sendPrivate(call);
      const receipt = decodeReceipt(payload, bid) ?? unknownShape("placeBid", payload);
      return withoutRepeats(receipt, repeats);
    } catch (error) {
      // Measured for the next bid. This one is not sent again: that is the trader's decision.
      if (isClockRefused(error)) void remeasured();
      throw error;
    }
  }

  /** Logs what was left out of an answer: once, and again only when it differs. */
  function note(endpoint: Endpoint, unreadable: readonly string[]): void {
    const names = unreadable.slice(0, EXAMPLES);
    const seen = [unreadable.length, ...names].join(" ");
    if (notes.get(endpoint) === seen) return;
    notes.set(endpoint, seen);
    if (unreadable.length === 0) return;
    const examples = names
      .map((name) => JSON.stringify(SHORT_NAME.test(name) ? name : redact(name)))
      .join(", ");
    log?.warn(`${endpoint}: ${unreadable.length} unreadable, left out: ${examples}`);
  }

  return {
    serverTime: async () => (await repeated(readServerTime)).serverMs,
    tickers: (mayRepeat) => repeated(readTickers, mayRepeat),
    wallet: (mayRepeat) => repeated(readWalletInTime, mayRepeat),
    prepareBid,
    placeBid,
    get clockOffset() {
      return clock.offset;
    },
    get clock() {
      return clock.reading;
    },
    adoptClock: clock.adopt,
    forgetClock: () => clock.forget(),
    adoptBlock: (endpoint, until) => {
      const at = now();
      // A longer one was told by a clock that has been set back since.
      if (at < until && until <= at + LONGEST_BLOCK_MS) blocks.add(blockOn(endpoint), at, until);
    },
    measureClock: () => repeated(clock.refresh),
    ...(historyPath !== undefined && {
      history: (symbol, interval, from, to) =>
        repeated(() => readHistory(historyPath, { symbol, interval, from, to })),
    }),
  };
}

/** POST carries an empty body, signed as the empty string (spec section 4). */
function walletCall(method: Method): Call {
  return { endpoint: "wallet", method, body: method === "POST" ? Buffer.alloc(0) : undefined };
}

/** A text that repeats what was sent to prove who we are is no id and no value, and would be kept on the disk. */
function withoutRepeats(
  { orderId, differences }: BidReceipt,
  repeats: (text: string) => boolean,
): BidReceipt {
  return {
    orderId: orderId !== undefined && repeats(orderId) ? undefined : orderId,
    ...(differences && {
      differences: differences.map((each) => (repeats(each.told) ? { ...each, told: MASK } : each)),
    }),
  };
}

function unknownShape(endpoint: Endpoint, { status }: Payload): never {
  throw new UnreadableAnswerError(endpoint, "shape", status, "JSON, but none of the known shapes");
}

function isClockRefused(error: unknown): boolean {
  return error instanceof RefusedError && INVALID_TIMESTAMP.has(error.code);
}

function saysMethodIsNotIt(error: unknown): boolean {
  return (
    (error instanceof RefusedError || error instanceof UnreadableAnswerError) &&
    METHOD_NOT_IT.has(error.httpStatus)
  );
}
