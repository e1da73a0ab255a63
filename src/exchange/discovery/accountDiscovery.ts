import type { CapabilityName } from "../../market/endpoints.ts";
import { symbolFor, type Pair, type SymbolForm } from "../../market/pair.ts";
import { RefusedError } from "../errors.ts";
import type { ServiceProfile } from "../profile.ts";
import type { EndpointForm, Generation } from "../features.ts";
import { decodeWallet } from "../wire/account.ts";
import type { Payload } from "../wire/envelope.ts";
import { decodeOpenOrders } from "../wire/orders/openOrders.ts";
import { decodeOrderHistory } from "../wire/orders/orderHistory.ts";
import { isFeeCredits } from "../wire/status.ts";
import { pathUnder } from "./paths.ts";
import { formOf, formsFrom } from "./pairNames.ts";
import type { DiscoveryRequests, DiscoveryResponse } from "./requests.ts";

/** The parts of the private API, in the order of discovery. */
export type AccountPart = "wallet" | "balances" | "openOrders" | "orderInfo" | "orderHistory" | "feeCredits";

/** The private API of an exchange. Missing parts were not found. */
export interface AccountDiscovery {
  readonly wallet: Route | undefined;
  /**
   * The capabilities that responded. If open orders did, also placing asks and cancelling, in the same generation: only an
   * order can test them.
   */
  readonly features: Readonly<Partial<Record<CapabilityName, EndpointForm>>>;
  /** Untested: of the generation that responded. */
  readonly placeBid: EndpointForm;
  /** Whether orders take a client id and `post_only`. Untested: inferred from the generation. */
  readonly hasClientIds: boolean;
  /** Why the account could not be read, such as a rejected key, a missing permission or a wrong clock. */
  readonly error: unknown;
  /** Parts that the exchange has, but for which the key lacks the permission. */
  readonly denied: ReadonlySet<AccountPart>;
  /** False if a rate limit or a network failure ended the discovery early: missing parts may exist. */
  readonly isComplete: boolean;
}

export interface AccountDiscoveryOptions {
  /** Signs every request. */
  readonly requests: DiscoveryRequests;
  /** Local clock, ms since the epoch. */
  readonly now: () => number;
  /** A listed pair, and the symbol forms of the public endpoints. */
  readonly sample: Pair;
  readonly forms: readonly SymbolForm[];
  /** The current profile, whose paths are tried first. */
  readonly known?: ServiceProfile;
  readonly onPart?: (part: AccountPart, isFound: boolean) => void;
}

type Route = Pick<EndpointForm, "method" | "path" | "envelope">;

const route = (method: Route["method"], path: string, envelope: Generation): Route => ({
  method,
  path,
  envelope,
});

/** All known endpoints that read an account, newest first. None of them changes anything. */
const ROUTES: Readonly<Record<AccountPart, readonly Route[]>> = {
  wallet: [
    route("POST", "/api/v3/market/wallet", "B"),
    route("GET", "/api/v3/market/wallet", "B"),
    route("GET", "/api/market/wallet", "A"),
    route("POST", "/api/market/wallet", "A"),
    route("GET", "/api/v4/wallet/assets", "C"),
  ],
  balances: [
    route("GET", "/api/v4/wallet/balances", "C"),
    route("POST", "/api/v3/market/balances", "B"),
    route("POST", "/api/market/balances", "A"),
  ],
  openOrders: [
    route("GET", "/api/v3/market/my-open-orders", "B"),
    route("POST", "/api/market/my-open-orders", "A"),
  ],
  orderInfo: [route("GET", "/api/v3/market/order-info", "B"), route("POST", "/api/market/order-info", "A")],
  orderHistory: [
    route("GET", "/api/v3/market/my-order-history", "B"),
    route("POST", "/api/market/my-order-history", "A"),
  ],
  feeCredits: [
    route("POST", "/api/v3/user/trading-credits", "B"),
    route("POST", "/api/user/trading-credits", "A"),
  ],
};

/** Endpoints that only an order can test. */
const TRADING: Readonly<
  Record<"A" | "B", Readonly<Record<"placeBid" | "placeAsk" | "cancelOrder", string>>>
> = {
  A: {
    placeBid: "/api/market/place-bid",
    placeAsk: "/api/market/place-ask",
    cancelOrder: "/api/market/cancel-order",
  },
  B: {
    placeBid: "/api/v3/market/place-bid",
    placeAsk: "/api/v3/market/place-ask",
    cancelOrder: "/api/v3/market/cancel-order",
  },
};

/** No exchange has an order with this id, so "not found" proves that orders can be looked up. */
const UNUSED_ORDER_ID = "1";
const ORDER_NOT_FOUND = 24;
const NOT_SUPPORTED_PAIR = 61;
/** Error codes with which every signed request would be rejected: key, secret, IP address, user and clock. */
const KEY_CODES: ReadonlySet<number | string> = new Set([2, 3, 4, 5, 6, 7, 8, 9, "A1000", "V1003", "V1004"]);
const MAX_FORMS = 3;
const DEFAULT_FORM: SymbolForm = { symbolOrder: "quoteFirst", symbolCase: "upper" };

/**
 * Discovers what a key can read at `base` with signed reads only: no request places, cancels or changes anything. Endpoints
 * that only an order can test are those of the generation that responded.
 */
export async function discoverAccount(
  base: URL,
  options: AccountDiscoveryOptions,
): Promise<AccountDiscovery> {
  const { forms, onPart } = options;
  const account = new AccountProbe(base, options);
  const wallet = await account.first("wallet", isWallet);
  onPart?.("wallet", wallet !== undefined);
  const features: Partial<Record<CapabilityName, EndpointForm>> = {};
  let form = formOf(forms[0] ?? DEFAULT_FORM);
  if (!account.isKeyRefused) {
    const balances = await account.first("balances", isWallet);
    if (balances) features.balances = { ...balances, ...form };
    onPart?.("balances", balances !== undefined);
    for (const part of ["openOrders", "orderInfo", "orderHistory"] as const) {
      const found = await account.byForm(
        part,
        features.openOrders ? [form] : formsFrom(forms).slice(0, MAX_FORMS),
      );
      if (found) {
        features[part] = found;
        // The exchange accepted this symbol form.
        form = formOf(found);
      }
      onPart?.(part, found !== undefined);
    }
    const credits = await account.first("feeCredits", isFeeCredits);
    if (credits) features.feeCredits = { ...credits, ...form };
    onPart?.("feeCredits", credits !== undefined);
  }
  const { openOrders, orderHistory, orderInfo } = features;
  const responded = [wallet, openOrders, orderHistory, orderInfo];
  const generation = responded.some((each) => each?.envelope === "B") ? "B" : "A";
  const trade = (path: string): EndpointForm => ({ method: "POST", path, ...form, envelope: generation });
  const { placeBid, placeAsk, cancelOrder } = TRADING[generation];
  return {
    wallet,
    features: openOrders
      ? { ...features, placeAsk: trade(placeAsk), cancelOrder: trade(cancelOrder) }
      : features,
    placeBid: trade(placeBid),
    hasClientIds: generation === "B" && openOrders !== undefined,
    error: wallet || features.balances ? undefined : account.error,
    denied: new Set([...account.denied].filter((part) => part === "wallet" || !features[part])),
    isComplete: options.requests.stopReason === undefined,
  };
}

/** Sends signed reads of one account, and keeps the most specific failure. */
class AccountProbe {
  readonly #base: URL;
  readonly #options: AccountDiscoveryOptions;
  /** Parts rejected at least once for a missing permission. */
  readonly denied = new Set<AccountPart>();
  #error: unknown;

  constructor(base: URL, options: AccountDiscoveryOptions) {
    this.#base = base;
    this.#options = options;
  }

  get error(): unknown {
    return this.#error;
  }

  /** Whether every signed request would be rejected because of the key, the secret, the IP address or the clock. */
  get isKeyRefused(): boolean {
    return this.#error instanceof RefusedError && KEY_CODES.has(this.#error.code);
  }

  /** The first route that responds in a known shape. */
  async first(part: AccountPart, isKnown: (payload: Payload) => boolean): Promise<Route | undefined> {
    for (const each of this.#routesFor(part)) {
      if (this.isKeyRefused) return undefined;
      const response = await this.#send(part, each, {});
      if (response.ok && isKnown(response.payload)) return each;
      if (!response.ok) this.#note(part, response.error);
    }
    return undefined;
  }

  /** The first working route and symbol form. An error about the order or the pair proves that the route works. */
  async byForm(
    part: "openOrders" | "orderInfo" | "orderHistory",
    forms: readonly SymbolForm[],
  ): Promise<EndpointForm | undefined> {
    const { sample, now } = this.#options;
    for (const each of this.#routesFor(part)) {
      for (const form of forms) {
        const capability: EndpointForm = { ...each, ...form };
        const parameters = { sym: symbolFor(sample, capability), ...parametersOf(part, each) };
        const requested = { symbol: parameters.sym, pair: sample, askedAt: now() };
        const response = await this.#send(part, each, parameters);
        if (response.ok ? isReadable(part, response.payload, requested) : isAboutContent(response.error))
          return capability;
        if (!response.ok) this.#note(part, response.error);
        if (this.isKeyRefused) return undefined;
        // Another symbol form would fail in the same way.
        if (!response.ok && (isWrongPath(response.error) || lacksPermission(response.error))) break;
      }
    }
    return undefined;
  }

  /** The known routes, that of the current profile first. */
  #routesFor(part: AccountPart): readonly Route[] {
    const { known } = this.#options;
    const own = part === "wallet" ? known?.endpoints.wallet : known?.features[part];
    const others = ROUTES[part].filter(({ path, method }) => path !== own?.path || method !== own.method);
    return own ? [route(own.method, own.path, own.envelope ?? "A"), ...others] : others;
  }

  #send(
    endpoint: AccountPart,
    { method, path, envelope }: Route,
    parameters: Parameters,
  ): Promise<DiscoveryResponse> {
    const url = pathUnder(this.#base, path);
    if (method === "GET")
      for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, String(value));
    const body =
      method === "POST" && Object.keys(parameters).length > 0 ? { body: JSON.stringify(parameters) } : {};
    return this.#options.requests.send({ endpoint, method, url, generation: envelope, ...body });
  }

  /** Keeps a rejected key over any other failure, and any other failure over a wrong path. */
  #note(part: AccountPart, error: unknown): void {
    if (lacksPermission(error)) this.denied.add(part);
    if (this.isKeyRefused) return;
    const isOfKey = error instanceof RefusedError && KEY_CODES.has(error.code);
    if (this.#error === undefined || isOfKey || (isWrongPath(this.#error) && !isWrongPath(error)))
      this.#error = error;
  }
}

type Parameters = Readonly<Record<string, string | number>>;

function parametersOf(part: AccountPart, { envelope }: Route): Parameters {
  if (part === "orderInfo") return { id: UNUSED_ORDER_ID, sd: "buy" };
  if (part !== "orderHistory") return {};
  return envelope === "A" ? { p: 1, lmt: 5 } : { lmt: 5, pagination_type: "keyset" };
}

function isWallet(payload: Payload): boolean {
  return decodeWallet(payload) !== undefined;
}

function isReadable(
  part: "openOrders" | "orderInfo" | "orderHistory",
  payload: Payload,
  requested: { readonly symbol: string; readonly pair: Pair; readonly askedAt: number },
): boolean {
  if (part === "openOrders") return decodeOpenOrders(payload, requested) !== undefined;
  // No order has the requested id, so any response without an error will do.
  return part === "orderInfo" || decodeOrderHistory(payload, requested, "quote") !== undefined;
}

function isAboutContent(error: unknown): boolean {
  return (
    error instanceof RefusedError && (error.code === ORDER_NOT_FOUND || error.code === NOT_SUPPORTED_PAIR)
  );
}

function lacksPermission(error: unknown): boolean {
  return error instanceof RefusedError && error.about === "permission";
}

function isWrongPath(error: unknown): boolean {
  return (error as { readonly httpStatus?: unknown } | undefined)?.httpStatus === 404;
}
