import type { IRetryPolicyConfig } from "cockatiel";
import type { Wallet } from "../market/balance.ts";
import type { Candle, Interval } from "../market/candle.ts";
import type { BidReceipt, LimitBid } from "../market/order.ts";
import type { Ticker } from "../market/ticker.ts";
import { messageOf, NotSentError, RefusedError, UnreadableAnswerError, type Endpoint } from "./errors.ts";
import { afterTime, type After } from "./http/after.ts";
import { Connection, type Target } from "./http/connection.ts";
import { PreparedConnection } from "./http/preparedConnection.ts";
import { createTransport, type Transport } from "./http/transport.ts";
import { withTimeout } from "./http/withTimeout.ts";
import { requestTarget, type Paths, type ServiceProfile } from "./profile.ts";
import { LONGEST_BLOCK_MS, RateLimits } from "./rateLimits.ts";
import { createReadRetry } from "./readRetry.ts";
import { MASK, redact } from "./redact.ts";
import type { Credentials } from "./signing/credentials.ts";
import { createServerClock, type ClockReading, type ServerTime } from "./signing/serverClock.ts";
import { privateHeaders, signature, usable, type Method } from "./signing/signature.ts";
import { decodeServerTime, decodeWallet, encodeBid } from "./wire/account.ts";
import { readAnswer, type Payload } from "./wire/envelope.ts";
import type { HistoryWish } from "./wire/history.ts";
import { decodeReceipt } from "./wire/receipt.ts";
import { decodeTickers } from "./wire/tickers.ts";

/** One reading of the whole market. */
export interface TickerReading {
  /** Keyed by wire symbol. */
  readonly tickers: ReadonlyMap<string, Ticker>;
  /** How many pairs were left out because their entry could not be read. */
  readonly unreadable: number;
}

/** A connection for one bid, opened in advance. */
export interface PreparedBid {
  take(target: Target): Connection | undefined;
  close(): void;
}

/** An exchange of this family, as the desk uses it. Every method rejects with an ExchangeError. */
export interface ExchangeClient {
  /** Server time in ms since the epoch, at the exchange's own resolution. */
  serverTime(): Promise<number>;
  /** A failed read is tried again unless `beginAgain` refuses, which is called right before each repetition. */
  tickers(beginAgain?: () => boolean): Promise<TickerReading>;
  wallet(beginAgain?: () => boolean): Promise<Wallet>;
  /** The newest measurement of the exchange's clock. */
  readonly clock: ClockReading | undefined;
  /** Takes a measurement from another window, if it is newer. */
  adoptClock(reading: ClockReading): void;
  /** Measures the clock again: server minus local time in ms, with half the round trip taken off. */
  measureClock(): Promise<number>;
  /** The local clock may have been set: the exchange's clock is measured before the next signature. */
  forgetClock(): void;
  /** No request to this endpoint before `until`, ms since the epoch, because another window met a rate limit. */
  adoptBlock(endpoint: Endpoint, until: number): void;
  /**
   * Opens a connection for one bid that a person is confirming now, so that the bid can be sent as soon as it is
   * confirmed. No part of the bid is written. Close the connection when the question is answered, whatever the
   * answer.
   */
  prepareBid(): PreparedBid;
  /**
   * Sends the bid once. It is never sent again, whatever happens. `mayStillGo` is asked right before the first byte
   * is written; if it returns false, nothing is sent (NotSentError, `tooLate`). `prepared` is what `prepareBid`
   * opened.
   */
  placeBid(bid: LimitBid, mayStillGo?: () => boolean, prepared?: PreparedBid): Promise<BidReceipt>;
  /**
   * Candles of a pair that begin between `from` and `to` (ms), ordered by time, as far as the exchange keeps them.
   * Only if the profile has a history path.
   */
  readonly history?: (
    symbol: string,
    interval: Interval,
    from: number,
    to: number,
  ) => Promise<readonly Candle[]>;
}

/** The client's log: counts, codes and causes, never a key, secret or signature. */
interface ClientLog {
  debug(message: string): void;
  warn(message: string): void;
}

export interface ClientOptions {
  readonly profile: ServiceProfile;
  /** Called right before each signature; the result is not kept. Undefined if no key is stored. */
  readonly credentials: () => Promise<Credentials | undefined>;
  /** How long to wait for the credentials, in ms; default 10,000. A keyring may wait for its password for hours. */
  readonly credentialsMs?: number;
  /** Local clock, ms since the epoch. */
  readonly now: () => number;
  readonly log?: ClientLog;
  /** Rate limits that other clients of this window met; default: own ones. */
  readonly blocks?: RateLimits;
  readonly transport?: Transport;
  /** For the connections that are opened before a bid. */
  readonly after?: After;
  /** How often and after which waits a read is tried again. A bid never is. */
  readonly readRetry?: IRetryPolicyConfig;
}

const MAX_BYTES = 1024 * 1024;
const MAX_TICKER_BYTES = 16 * MAX_BYTES;
const EXAMPLES = 3;
/** The name of an asset, a pair or a position in a list. It is too short for a key, so it is logged as it is. */
const SHORT_NAME = /^[\w.#-]{1,11}$/;
/** Of the oldest and of the newest generation. */
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

/** A call as it is sent: to the path of its endpoint, or for a history to the address of the wanted part. */
type AddressedCall = Call | (Omit<Call, "endpoint"> & { readonly endpoint: "history"; readonly url: URL });

/** A client of the exchange that `profile` describes (spec sections 4 and 5). */
export function createClient(options: ClientOptions): ExchangeClient {
  const { profile, now, log, transport = createTransport(), blocks = new RateLimits() } = options;
  const { after = afterTime } = options;
  /** A confirmed bid must not wait for a keyring that is unlocked much later. */
  const credentials = (): Promise<Credentials | undefined> =>
    withTimeout(options.credentials(), options.credentialsMs ?? CREDENTIALS_MS);
  const blockOn = (endpoint: Endpoint): string => `${profile.baseUrl.origin} ${endpoint}`;
  const clock = createServerClock({ measure: readServerTime, now });
  const notes = new Map<Endpoint, string>();
  const { historyPath } = profile;
  const repeated = createReadRetry(options.readRetry, (text) => log?.debug(text));
  let walletMethod = profile.walletMethod === "auto" ? undefined : profile.walletMethod;

  /** One request, and its answer without the envelope. */
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

  /** Signs and sends. `repeats` tells whether a text contains the key, the secret or the signature of the request. */
  async function sendPrivate(call: Call): Promise<{ payload: Payload; repeats: (text: string) => boolean }> {
    const { endpoint, method, body } = call;
    // Asked here too, to avoid a useless measurement. Asked again below, because measuring takes time.
    if (!clock.fresh) await readCredentials(endpoint);
    let pair: Credentials;
    let serverMs: number | undefined;
    do {
      await readyClock(endpoint);
      pair = await readCredentials(endpoint);
      // The clock may have been forgotten while the keyring waited for the person.
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
      // The keyring's own text stays out of the error, because it handles the secret.
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
    const { decodeHistory, historyTarget } = await import("./wire/history.ts");
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

  /**
   * Measures the clock in advance if a signature would have to wait for it. A failure shows when something is signed.
   */
  async function readyToSign(): Promise<void> {
    try {
      if (!clock.fresh && (await credentials())) await clock.ready();
    } catch {
      // The result is not waited for.
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
      // Measured for the next bid. This bid is not sent again: that is the trader's decision.
      if (isClockRefused(error)) void remeasured();
      throw error;
    }
  }

  /** Logs what was left out of an answer: once, and again only if it differs. */
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
    tickers: (beginAgain) => repeated(readTickers, beginAgain),
    wallet: (beginAgain) => repeated(readWalletInTime, beginAgain),
    prepareBid,
    placeBid,
    get clock() {
      return clock.reading;
    },
    adoptClock: clock.adopt,
    forgetClock: () => clock.forget(),
    adoptBlock: (endpoint, until) => {
      const at = now();
      // A longer rate limit comes from a clock that has been set back since.
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

/** A text that repeats a proof of identity is no id and no value, and must not be kept on the disk. */
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
