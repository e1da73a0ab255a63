import type { Exchange } from "../../../src/practice/account/exchange.ts";
import { ownSymbol, readTime, type Fields } from "../../../src/practice/http/fields.ts";
import { practiceProfile } from "../../../src/practice/http/profile.ts";
import type { Api, PracticeEndpoint, Route } from "../../../src/practice/http/routes.ts";
import type { PracticeCredentials, SignedRequest } from "../../../src/practice/http/signatureCheck.ts";
import { errorText, readObject } from "../../../src/practice/http/wire.ts";
import { digitsIn, JsonNumber } from "../../../src/practice/json.ts";
import { streamKinds, type StreamKind } from "../../../src/practice/stream/address.ts";
import { signedHeaders } from "../builders/practiceRequest.ts";

/** Behaviour in which a service of this family may differ from the practice exchange. May be changed at any time. */
export interface Switches {
  /** Offers the four endpoints and the history of prices only. */
  isBasic: boolean;
  /** Whether an order's `client_id` is returned, ignored, or returned everywhere except in open orders. */
  clientIds: "echoed" | "dropped" | "blankInOpenOrders";
  /** How long the order history omits a match. */
  historyLagMs: number;
  /** Pairs whose open orders, order history and order details are rejected with 61. */
  unsupportedPairs: readonly string[];
  /** How long a cancelled order can be looked up. */
  cancelledKeptMs: number;
  /** Streams that are offered. */
  streams: readonly StreamKind[];
}

export const defaultSwitches: Readonly<Switches> = {
  isBasic: false,
  clientIds: "echoed",
  historyLagMs: 0,
  unsupportedPairs: [],
  cancelledKeptMs: Infinity,
  streams: [],
};

/** The features of a profile of the practice exchange behind these switches. */
export function offeredFeatures(
  api: Api,
  { isBasic, clientIds, streams }: Readonly<Pick<Switches, "isBasic" | "clientIds" | "streams">>,
): Readonly<Record<string, unknown>> {
  const { clientOrderId, ...features } = practiceProfile("", api).features;
  const namesOf = (kinds: readonly StreamKind[]): Set<string> =>
    new Set(kinds.map((kind) => `${kind}Stream`));
  const [all, offered] = [namesOf(streamKinds), namesOf(streams)];
  const isOffered = (name: string): boolean => (all.has(name) ? offered.has(name) : !isBasic);
  return {
    ...Object.fromEntries(Object.entries(features).filter(([name]) => isOffered(name))),
    ...(!isBasic && clientIds !== "dropped" && { clientOrderId }),
  };
}

const BASIC: ReadonlySet<PracticeEndpoint> = new Set([
  "serverTime",
  "tickers",
  "wallet",
  "placeBid",
  "history",
  "reset",
]);
const LOOK_UPS: ReadonlySet<PracticeEndpoint> = new Set(["openOrders", "orderHistory", "orderInfo"]);
/** A rejected key or signature. */
const UNAUTHORIZED = /^\{"error":[2368],/;

/** Rewrites requests to the practice exchange and its responses as the switches say. */
export class SwitchedService {
  readonly switches: Readonly<Switches>;
  readonly #credentials: PracticeCredentials;
  readonly #account: () => Exchange;
  /** The exchange's clock, ms. */
  readonly #now: () => number;

  constructor(
    switches: Readonly<Switches>,
    credentials: PracticeCredentials,
    account: () => Exchange,
    now: () => number,
  ) {
    this.switches = switches;
    this.#credentials = credentials;
    this.#account = account;
    this.#now = now;
  }

  offers(endpoint: PracticeEndpoint): boolean {
    return !this.switches.isBasic || BASIC.has(endpoint);
  }

  /** The request to forward: one for the history ends before the matches that are omitted. */
  request(request: SignedRequest, { endpoint }: Route): SignedRequest {
    const { historyLagMs } = this.switches;
    if (endpoint !== "orderHistory" || historyLagMs === 0) return request;
    const fields = fieldsOf(request);
    const until = Math.floor(this.#now()) - historyLagMs;
    const end = Math.min(readTime(fields["end"], "end") ?? until, until);
    return this.#signedAnew(request, { ...fields, end });
  }

  /** The body of the response to relay. */
  response(request: SignedRequest, { endpoint, generation }: Route, text: string): string {
    const { clientIds, unsupportedPairs, cancelledKeptMs } = this.switches;
    if (LOOK_UPS.has(endpoint) && !UNAUTHORIZED.test(text)) {
      const fields = fieldsOf(request);
      if (unsupportedPairs.includes(String(ownSymbol(fields["sym"], generation))))
        return errorText(61, "This pair is not supported here.");
      const { closed } = this.#account().orders.get(Number(digitsIn(fields["id"]))) ?? {};
      if (
        endpoint === "orderInfo" &&
        closed?.as === "cancelled" &&
        this.#now() - closed.at >= cancelledKeptMs
      )
        return errorText(24, "No such order is known.");
    }
    const isBlank =
      clientIds === "dropped" || (clientIds === "blankInOpenOrders" && endpoint === "openOrders");
    return isBlank ? text.replace(/,"ci":"[^"]*"/, "").replaceAll(CLIENT_ID, '"client_id":""') : text;
  }

  /** The frame of a stream to relay. */
  frame(text: string): string {
    return this.switches.clientIds === "dropped" ? text.replaceAll(CLIENT_ID, '"client_id":null') : text;
  }

  #signedAnew(request: SignedRequest, fields: Fields): SignedRequest {
    const { method, headers } = request;
    const isQuery = method === "GET";
    const [target = ""] = request.path.split("?", 1);
    const query = new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const path = isQuery ? `${target}?${query.toString()}` : target;
    const body = isQuery
      ? ""
      : JSON.stringify(fields, (_, value: unknown) =>
          value instanceof JsonNumber ? Number(value.digits) : value,
        );
    const signed = signedHeaders(method, path, body, String(headers["x-svc-timestamp"]), this.#credentials);
    const lowerCase = Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]);
    return {
      method,
      path,
      headers: { ...headers, ...(Object.fromEntries(lowerCase) as Record<string, string>) },
      body: Buffer.from(body),
    };
  }
}

const CLIENT_ID = /"client_id":"[^"]*"/g;

/** The fields of a request: its query, or its JSON body. */
function fieldsOf({ method, path, body }: SignedRequest): Fields {
  if (method === "GET") return Object.fromEntries(new URLSearchParams(path.split("?")[1]));
  const read = readObject(body);
  return "fields" in read ? read.fields : {};
}
