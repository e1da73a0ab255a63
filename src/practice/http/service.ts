import { Exchange, type EventLog } from "../account/exchange.ts";
import type { Market } from "../market/market.ts";
import { Faults, faultyAnswer, type Answer, type Endpoint, type FaultPlan } from "./faults.ts";
import { answerHistory } from "./history.ts";
import {
  HEADER_PREFIX,
  SignatureCheck,
  type AuthError,
  type PracticeCredentials,
  type SignedRequest,
} from "./signatureCheck.ts";
import {
  bidResult,
  errorText,
  readObject,
  successText,
  tickersResult,
  walletResult,
  type WalletShape,
} from "./wire.ts";

export interface ServiceOptions {
  readonly credentials: PracticeCredentials;
  /** The exchange's clock, ms. */
  readonly now: () => number;
  /** Keeps the account. Without it, the account ends with the exchange. */
  readonly log?: EventLog;
  readonly faults?: FaultPlan;
  readonly walletShape?: WalletShape;
}

/** Signed like any private request, so that only the owner of the key pair can reset the account. */
export const RESET_PATH = "/practice/reset";

const ROUTES: Readonly<Record<string, { readonly endpoint: Endpoint; readonly methods: readonly string[] }>> =
  {
    "/api/servertime": { endpoint: "serverTime", methods: ["GET"] },
    "/api/market/ticker": { endpoint: "tickers", methods: ["GET"] },
    "/api/market/wallet": { endpoint: "wallet", methods: ["GET", "POST"] },
    "/api/market/place-bid": { endpoint: "placeBid", methods: ["POST"] },
    "/tradingview/history": { endpoint: "history", methods: ["GET"] },
    [RESET_PATH]: { endpoint: "reset", methods: ["POST"] },
  };

const AUTH_MESSAGES: Readonly<Record<AuthError, string>> = {
  2: `The header ${HEADER_PREFIX}APIKEY is missing.`,
  3: "The API key is not valid.",
  6: "The signature is missing or does not match.",
  8: "The timestamp is not in milliseconds, or more than 30 s from the exchange's clock.",
};

/**
 * The practice exchange without its server: a request in, an answer out. It knows no sockets and no timers, so that a
 * test can put any network in front of it.
 */
export class PracticeService {
  /** Number of requests for each endpoint, including refused ones. */
  readonly requests: Record<Endpoint, number> = {
    serverTime: 0,
    tickers: 0,
    wallet: 0,
    placeBid: 0,
    history: 0,
    reset: 0,
  };
  readonly faults: Faults;
  readonly #now: () => number;
  readonly #delay: (ms: number) => Promise<unknown>;
  readonly #market: Market;
  readonly #exchange: Exchange;
  readonly #walletShape: WalletShape;
  readonly #check: SignatureCheck;

  /** `delay` resolves after `ms`, for planned delays. Throws if the log cannot be replayed or written. */
  constructor(options: ServiceOptions, market: Market, delay: (ms: number) => Promise<unknown>) {
    this.faults = new Faults(options.faults);
    this.#now = () => Math.floor(options.now()) + this.faults.clockSkewMs;
    this.#delay = delay;
    this.#market = market;
    this.#exchange = new Exchange(market, options.log);
    this.#walletShape = options.walletShape ?? "available";
    this.#check = new SignatureCheck(options.credentials);
  }

  /** Why there is nothing for this method and path (the request's target); undefined if there is. */
  refusal(method: string, path: string): Answer | undefined {
    const route = routeOf(path);
    if (!route) return refusal(404, 10, "No such path.");
    if (route.methods.includes(method)) return undefined;
    const allow = route.methods.join(", ");
    return { ...refusal(405, 10, `This path takes ${route.methods.join(" or ")} only.`), allow };
  }

  /** Answers a request, or resets its connection. Rejects if a delay is ended. */
  async answer(request: SignedRequest): Promise<Answer | "reset"> {
    const { method, path } = request;
    const refused = this.refusal(method, path);
    const endpoint = routeOf(path)?.endpoint;
    if (refused || !endpoint) return refused ?? "reset";
    this.requests[endpoint] += 1;
    return this.#withFault(endpoint, () => this.#process(endpoint, request));
  }

  async #withFault(endpoint: Endpoint, process: () => Answer): Promise<Answer | "reset"> {
    const fault = this.faults.take(endpoint);
    if (!fault) return process();
    if (fault.kind === "delay") {
      const early = fault.when === "after" ? process() : undefined;
      await this.#delay(fault.ms);
      return early ?? process();
    }
    const isLate = fault.kind === "cutJson" || fault.when === "after";
    return faultyAnswer(fault, isLate ? process() : undefined);
  }

  #process(endpoint: Endpoint, request: SignedRequest): Answer {
    const now = this.#now();
    if (endpoint === "serverTime") return success(Math.floor(now / 1000));
    if (endpoint === "tickers") return success(tickersResult(this.#market.tickersAt(now)));
    if (endpoint === "history") {
      const query = new URLSearchParams(request.path.split("?")[1]);
      return { status: 200, type: "json", text: answerHistory(query, this.#market, now) };
    }
    const code = this.#check.refusal(request, now);
    if (code !== undefined) return refusal(200, code, AUTH_MESSAGES[code]);
    try {
      this.#exchange.match(now);
      if (endpoint === "placeBid") return this.#placeBid(request.body, now);
      if (endpoint === "reset") this.#exchange.reset(now);
      return success(walletResult(this.#exchange.wallet(), this.#walletShape));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return refusal(
        500,
        90,
        `The practice ledger could not be written (${reason}). The request had no effect.`,
      );
    }
  }

  #placeBid(bytes: Uint8Array, now: number): Answer {
    const body = readObject(bytes);
    if ("problem" in body) return refusal(200, 1, body.problem);
    const outcome = this.#exchange.placeBid(body.fields, now);
    return "code" in outcome
      ? refusal(200, outcome.code, outcome.message)
      : success(bidResult(outcome.bid, outcome.received));
  }
}

function routeOf(path: string): (typeof ROUTES)[string] | undefined {
  const pathname = path.split("?", 1)[0] ?? "";
  return Object.hasOwn(ROUTES, pathname) ? ROUTES[pathname] : undefined;
}

function success(result: unknown): Answer {
  return { status: 200, type: "json", text: successText(result) };
}

/** An answer that refuses, in the envelope of an error. */
export function refusal(status: number, code: number, message: string): Answer {
  return { status, type: "json", text: errorText(code, message) };
}
