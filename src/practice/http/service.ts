import type { Exchange } from "../account/exchange.ts";
import type { Fields } from "./fields.ts";
import { answerHistory } from "./history.ts";
import { depthResult, symbolsResult, tradesResult } from "./marketWire.ts";
import { PracticeOrders, type Success } from "./orders.ts";
import { routeOf, type Api, type PracticeEndpoint, type PracticeGeneration, type Route } from "./routes.ts";
import {
  HEADER_PREFIX,
  SignatureCheck,
  type AuthError,
  type PracticeCredentials,
  type SignedRequest,
} from "./signatureCheck.ts";
import type { After } from "../../time/timers.ts";
import { PracticeStreams } from "../stream/streams.ts";
import {
  assetTexts,
  balanceRows,
  balancesResult,
  dataErrorText,
  dataText,
  errorText,
  readObject,
  statusRows,
  successText,
  tickerRows,
  tickersResult,
  walletResult,
} from "./wire.ts";

export interface ServiceOptions {
  readonly credentials: PracticeCredentials;
  /** The exchange's clock, ms. */
  readonly now: () => number;
  readonly account: Exchange;
  /** Default: "spec". */
  readonly api?: Api;
}

export interface PracticeResponse {
  readonly status: number;
  readonly type: "json" | "html";
  readonly text: string;
  /** Allow header: the methods of a path. */
  readonly allow?: string;
}

const AUTH_MESSAGES: Readonly<Record<AuthError, string>> = {
  2: `The header ${HEADER_PREFIX}APIKEY is missing.`,
  3: "The API key is not valid.",
  6: "The signature is missing or does not match.",
  8: "The timestamp is not in milliseconds, or more than 30 s from the exchange's clock.",
};

/** The same errors in generation C: code and HTTP status. */
const C_AUTH_CODES: Readonly<Record<AuthError, readonly [code: string, status: number]>> = {
  2: ["A1000", 401],
  3: ["A1000", 401],
  6: ["V1003", 400],
  8: ["V1004", 401],
};

/**
 * The practice exchange without its server: request in, response out. It has no sockets or timers, so tests can put any
 * network in front of it.
 */
export class PracticeService {
  readonly #now: () => number;
  readonly #api: Api;
  readonly #account: Exchange;
  readonly #orders: PracticeOrders;
  readonly #check: SignatureCheck;

  constructor({ credentials, now, account, api = "spec" }: ServiceOptions) {
    this.#now = () => Math.floor(now());
    this.#api = api;
    this.#account = account;
    this.#orders = new PracticeOrders(account);
    this.#check = new SignatureCheck(credentials);
  }

  /** The exchange's streams, over the same market and account. Each ends with its socket. */
  openStreams(after: After): PracticeStreams {
    return new PracticeStreams({
      account: { exchange: this.#account, check: this.#check },
      after,
      now: this.#now,
    });
  }

  /** The error response if no route has this method and path (the request's target); undefined if one does. */
  refusal(method: string, path: string): PracticeResponse | undefined {
    const found = this.#routeOf(method, path);
    return "status" in found ? found : undefined;
  }

  answer(request: SignedRequest): PracticeResponse {
    const route = this.#routeOf(request.method, request.path);
    if ("status" in route) return route;
    // The front ends of today's services reject clients without a user agent.
    if (this.#api === "current" && !request.headers["user-agent"])
      return { status: 403, type: "html", text: "<h1>403 Forbidden</h1>" };
    return this.#process(route, request);
  }

  #routeOf(method: string, path: string): Route | PracticeResponse {
    const route = routeOf(path, this.#api);
    if (!route)
      return this.#api === "current" ? refusal(404, 404, "Not Found") : refusal(404, 10, "No such path.");
    if (route.methods.some((each) => each === method)) return route;
    const allow = route.methods.join(", ");
    return { ...refusal(405, 10, `This path takes ${route.methods.join(" or ")} only.`), allow };
  }

  #process(route: Route, request: SignedRequest): PracticeResponse {
    const now = this.#now();
    const { generation } = route;
    if (!route.isSigned) return this.#answerPublic(route, request, now);
    const code = this.#check.refusal(request, now);
    if (code !== undefined) return unauthorized(code, generation);
    try {
      this.#account.match(now);
      return this.#answerOwner(route, request, now);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The practice ledger could not be written (${reason}). The request had no effect.`;
      return generation === "C" ? json(500, dataErrorText("S1000", message)) : refusal(500, 90, message);
    }
  }

  #answerPublic({ endpoint, generation }: Route, request: SignedRequest, now: number): PracticeResponse {
    const { market } = this.#account;
    const query = new URLSearchParams(request.path.split("?")[1]);
    const fields = Object.fromEntries(query);
    switch (endpoint) {
      case "history":
        return json(200, answerHistory(query, market, now));
      case "tickers":
        return generation === "A"
          ? success({ result: tickersResult(market.tickersAt(now)) })
          : json(200, JSON.stringify(tickerRows(market.tickersAt(now))));
      case "status":
        return json(200, JSON.stringify(statusRows));
      case "symbols":
        return success({ result: symbolsResult(market, generation, now) });
      case "trades":
        return outcome(tradesResult(fields, market, generation, now));
      case "depth": {
        const depth = depthResult(fields, market, generation, now, (symbol) =>
          this.#account.restingOf(symbol),
        );
        // Generation A returns the depth without an envelope.
        const isBare = generation === "A" && "result" in depth;
        return isBare ? json(200, JSON.stringify(depth.result)) : outcome(depth);
      }
      default:
        return generation === "A" ? success({ result: Math.floor(now / 1000) }) : json(200, String(now));
    }
  }

  #answerOwner({ endpoint, generation }: Route, request: SignedRequest, now: number): PracticeResponse {
    switch (endpoint) {
      case "balances":
      case "wallet":
        return this.#balances(endpoint, generation);
      case "feeCredits":
        return success({ result: 0 });
      case "reset":
        this.#account.reset(now);
        return this.#balances("wallet", generation);
      default: {
        const fields = fieldsOf(request);
        if ("problem" in fields) return refusal(200, 1, fields.problem);
        return outcome(this.#answerOrder(endpoint, fields.fields, generation, now));
      }
    }
  }

  #answerOrder(
    endpoint: PracticeEndpoint,
    fields: Fields,
    generation: PracticeGeneration,
    now: number,
  ): ReturnType<PracticeOrders["place"]> {
    const orders = this.#orders;
    switch (endpoint) {
      case "placeAsk":
        return orders.place("ask", fields, generation, now);
      case "cancelOrder":
        return orders.cancel(fields, generation, now);
      case "openOrders":
        return orders.open(fields, generation);
      case "orderInfo":
        return orders.info(fields, generation, now);
      case "orderHistory":
        return orders.history(fields, generation, now);
      default:
        return orders.place("bid", fields, generation, now);
    }
  }

  #balances(endpoint: "balances" | "wallet", generation: PracticeGeneration): PracticeResponse {
    const wallet = this.#account.wallet();
    const isBalances = endpoint === "balances";
    if (generation === "C") return json(200, dataText(isBalances ? balanceRows(wallet) : assetTexts(wallet)));
    return success({ result: isBalances ? balancesResult(wallet) : walletResult(wallet) });
  }
}

/** The JSON object of a body, or the query of a GET. */
function fieldsOf({ method, path, body }: SignedRequest): ReturnType<typeof readObject> {
  if (method !== "GET") return readObject(body);
  return { fields: Object.fromEntries(new URLSearchParams(path.split("?")[1])) };
}

function outcome(answer: Success | { readonly code: number; readonly message: string }): PracticeResponse {
  return "code" in answer ? refusal(200, Number(answer.code), String(answer.message)) : success(answer);
}

function success(fields: Success): PracticeResponse {
  return json(200, successText(fields));
}

/** An error response with its envelope. */
export function refusal(status: number, code: number, message: string): PracticeResponse {
  return json(status, errorText(code, message));
}

function unauthorized(code: AuthError, generation: PracticeGeneration): PracticeResponse {
  if (generation !== "C") return refusal(200, code, AUTH_MESSAGES[code]);
  const [text, status] = C_AUTH_CODES[code];
  return json(status, dataErrorText(text, AUTH_MESSAGES[code]));
}

function json(status: number, text: string): PracticeResponse {
  return { status, type: "json", text };
}
