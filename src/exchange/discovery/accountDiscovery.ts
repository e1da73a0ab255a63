import type { CapabilityName } from "../../market/endpoints.ts";
import { symbolFor, type Pair, type SymbolForm } from "../../market/pair.ts";
import { RefusedError } from "../errors.ts";
import type { ServiceProfile } from "../profile.ts";
import type { EndpointForm, Generation } from "../features.ts";
import { decodeWallet } from "../wire/account.ts";
import type { Payload } from "../wire/envelope.ts";
import { decodeOpenOrders } from "../wire/orders/openOrders.ts";
import { decodeOrderHistory } from "../wire/orders/orderHistory.ts";
import { decodeFeeCredits } from "../wire/status.ts";
import { pathUnder } from "./paths.ts";
import { formOf, formsFrom } from "./pairNames.ts";
import type { DiscoveryRequests, Reply } from "./requests.ts";

/** What is asked for with the key, in the order in which it is found. */
export type AccountPart = "wallet" | "balances" | "openOrders" | "orderInfo" | "orderHistory" | "feeCredits";

/** What an exchange offers to the owner of a key. What is missing was not found. */
export interface AccountDiscovery {
  readonly wallet: Way | undefined;
  /** The capabilities that answered, and those that only a trade can try: `untried`. */
  readonly features: Readonly<Partial<Record<CapabilityName, EndpointForm>>>;
  /** Capabilities of the generation that answered. The first order will show whether they work. */
  readonly untried: readonly CapabilityName[];
  /** The path of place-bid, of the generation that answered. */
  readonly placeBid: EndpointForm;
  /** Whether orders take a client id and `post_only`: of the generation that answered, untried too. */
  readonly hasClientIds: boolean;
  /** Why the account could not be read: a refused key, a missing permission, a wrong clock. */
  readonly error: unknown;
  /** What the exchange offers, but not to this key, which lacks the permission. */
  readonly denied: ReadonlySet<AccountPart>;
  /** False if a rate limit or a broken network ended the discovery early: what is missing may be there. */
  readonly isComplete: boolean;
}

export interface AccountDiscoveryOptions {
  /** Signs what it sends. */
  readonly requests: DiscoveryRequests;
  /** Local clock, ms since the epoch. */
  readonly now: () => number;
  /** A pair that the exchange lists, and how its public endpoints name pairs. */
  readonly sample: Pair;
  readonly forms: readonly SymbolForm[];
  /** The profile in use: its own paths are tried first. */
  readonly known?: ServiceProfile;
  readonly onPart?: (part: AccountPart, isFound: boolean) => void;
}

/** How an endpoint is asked. */
type Way = Pick<EndpointForm, "method" | "path" | "envelope">;

const way = (method: Way["method"], path: string, envelope: Generation): Way => ({ method, path, envelope });

/** The known ways to read an account, the newest first. None of them changes anything. */
const WAYS: Readonly<Record<AccountPart, readonly Way[]>> = {
  wallet: [
    way("POST", "/api/v3/market/wallet", "B"),
    way("GET", "/api/v3/market/wallet", "B"),
    way("GET", "/api/market/wallet", "A"),
    way("POST", "/api/market/wallet", "A"),
    way("GET", "/api/v4/wallet/assets", "C"),
  ],
  balances: [
    way("GET", "/api/v4/wallet/balances", "C"),
    way("POST", "/api/v3/market/balances", "B"),
    way("POST", "/api/market/balances", "A"),
  ],
  openOrders: [
    way("GET", "/api/v3/market/my-open-orders", "B"),
    way("POST", "/api/market/my-open-orders", "A"),
  ],
  orderInfo: [way("GET", "/api/v3/market/order-info", "B"), way("POST", "/api/market/order-info", "A")],
  orderHistory: [
    way("GET", "/api/v3/market/my-order-history", "B"),
    way("POST", "/api/market/my-order-history", "A"),
  ],
  feeCredits: [
    way("POST", "/api/v3/user/trading-credits", "B"),
    way("POST", "/api/user/trading-credits", "A"),
  ],
};

/** What a generation offers that only a trade can try. */
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

/** No exchange has an order with this id: looking it up shows whether orders can be looked up. */
const NO_ORDER = "1";
const ORDER_NOT_FOUND = 24;
const NOT_SUPPORTED_PAIR = 61;
/** Codes that mean that no signed request will be answered: key, secret, address, user and clock. */
const KEY_CODES: ReadonlySet<number | string> = new Set([2, 3, 4, 5, 6, 7, 8, 9, "A1000", "V1003", "V1004"]);
const MOST_FORMS = 3;
const USUAL_FORM: SymbolForm = { symbolOrder: "quoteFirst", symbolCase: "upper" };

/**
 * Finds out what the owner of a key can read at the exchange at `base`, by signed reads only: nothing that places, cancels or
 * changes anything is called. What cannot be tried without trading is taken from the generation that answered.
 */
export async function discoverAccount(
  base: URL,
  options: AccountDiscoveryOptions,
): Promise<AccountDiscovery> {
  const { forms, onPart } = options;
  const account = new Account(base, options);
  const wallet = await account.first("wallet", isWallet);
  onPart?.("wallet", wallet !== undefined);
  const features: Partial<Record<CapabilityName, EndpointForm>> = {};
  let form = formOf(forms[0] ?? USUAL_FORM);
  if (!account.isKeyRefused) {
    const balances = await account.first("balances", isWallet);
    if (balances) features.balances = { ...balances, ...form };
    onPart?.("balances", balances !== undefined);
    for (const part of ["openOrders", "orderInfo", "orderHistory"] as const) {
      const found = await account.byForm(
        part,
        features.openOrders ? [form] : formsFrom(forms).slice(0, MOST_FORMS),
      );
      if (found) {
        features[part] = found;
        // The exchange knows a listed pair by this form of its name.
        form = formOf(found);
      }
      onPart?.(part, found !== undefined);
    }
    const credits = await account.first("feeCredits", (payload) => decodeFeeCredits(payload) !== undefined);
    if (credits) features.feeCredits = { ...credits, ...form };
    onPart?.("feeCredits", credits !== undefined);
  }
  const { openOrders, orderHistory, orderInfo } = features;
  const answered = [wallet, openOrders, orderHistory, orderInfo];
  const generation = answered.some((each) => each?.envelope === "B") ? "B" : "A";
  const trade = (path: string): EndpointForm => ({ method: "POST", path, ...form, envelope: generation });
  const { placeBid, placeAsk, cancelOrder } = TRADING[generation];
  return {
    wallet,
    features: openOrders
      ? { ...features, placeAsk: trade(placeAsk), cancelOrder: trade(cancelOrder) }
      : features,
    untried: openOrders ? ["placeAsk", "cancelOrder"] : [],
    placeBid: trade(placeBid),
    hasClientIds: generation === "B" && openOrders !== undefined,
    error: wallet || features.balances ? undefined : account.error,
    denied: new Set([...account.denied].filter((part) => part === "wallet" || !features[part])),
    isComplete: options.requests.stopped === undefined,
  };
}

/** Signed questions about one account, and the most specific failure among the answers. */
class Account {
  readonly #base: URL;
  readonly #options: AccountDiscoveryOptions;
  /** Parts that were refused for a missing permission at least once. */
  readonly denied = new Set<AccountPart>();
  #error: unknown;

  constructor(base: URL, options: AccountDiscoveryOptions) {
    this.#base = base;
    this.#options = options;
  }

  get error(): unknown {
    return this.#error;
  }

  /** Whether no signed request will be answered: because of the key, the secret, this computer's address or its clock. */
  get isKeyRefused(): boolean {
    return this.#error instanceof RefusedError && KEY_CODES.has(this.#error.code);
  }

  /** The first way that is answered in a known form. */
  async first(part: AccountPart, isKnown: (payload: Payload) => boolean): Promise<Way | undefined> {
    for (const each of this.#waysTo(part)) {
      if (this.isKeyRefused) return undefined;
      const reply = await this.#ask(part, each, {});
      if (reply.ok && isKnown(reply.payload)) return each;
      if (!reply.ok) this.#note(part, reply.error);
    }
    return undefined;
  }

  /** The first way and form of a symbol that are answered. A refusal that knows the request, but not the order or the pair, shows the way too. */
  async byForm(
    part: "openOrders" | "orderInfo" | "orderHistory",
    forms: readonly SymbolForm[],
  ): Promise<EndpointForm | undefined> {
    const { sample, now } = this.#options;
    for (const each of this.#waysTo(part)) {
      for (const form of forms) {
        const capability: EndpointForm = { ...each, ...form };
        const parameters = { sym: symbolFor(sample, capability), ...parametersOf(part, each) };
        const named = { symbol: parameters.sym, pair: sample, askedAt: now() };
        const reply = await this.#ask(part, each, parameters);
        if (reply.ok ? isKnownTo(part, reply.payload, named) : knowsRequest(reply.error)) return capability;
        if (!reply.ok) this.#note(part, reply.error);
        if (this.isKeyRefused) return undefined;
        // Another name of the pair would change nothing.
        if (!reply.ok && (isWrongPath(reply.error) || lacksPermission(reply.error))) break;
      }
    }
    return undefined;
  }

  /** The known ways, that of the profile in use first. */
  #waysTo(part: AccountPart): readonly Way[] {
    const { known } = this.#options;
    const own = part === "wallet" ? known?.endpoints.wallet : known?.features[part];
    const others = WAYS[part].filter(({ path, method }) => path !== own?.path || method !== own.method);
    return own ? [way(own.method, own.path, own.envelope ?? "A"), ...others] : others;
  }

  #ask(endpoint: AccountPart, { method, path, envelope }: Way, given: Parameters): Promise<Reply> {
    const url = pathUnder(this.#base, path);
    if (method === "GET")
      for (const [key, value] of Object.entries(given)) url.searchParams.set(key, String(value));
    const body = method === "POST" && Object.keys(given).length > 0 ? { body: JSON.stringify(given) } : {};
    return this.#options.requests.ask({ endpoint, method, url, generation: envelope, ...body });
  }

  /** A path that does not exist says less than any other failure, and a refused key says most. */
  #note(part: AccountPart, error: unknown): void {
    if (lacksPermission(error)) this.denied.add(part);
    if (this.isKeyRefused) return;
    const isOfKey = error instanceof RefusedError && KEY_CODES.has(error.code);
    if (this.#error === undefined || isOfKey || (isWrongPath(this.#error) && !isWrongPath(error)))
      this.#error = error;
  }
}

type Parameters = Readonly<Record<string, string | number>>;

function parametersOf(part: AccountPart, { envelope }: Way): Parameters {
  if (part === "orderInfo") return { id: NO_ORDER, sd: "buy" };
  if (part !== "orderHistory") return {};
  return envelope === "A" ? { p: 1, lmt: 5 } : { lmt: 5, pagination_type: "keyset" };
}

function isWallet(payload: Payload): boolean {
  return decodeWallet(payload) !== undefined;
}

function isKnownTo(
  part: "openOrders" | "orderInfo" | "orderHistory",
  payload: Payload,
  named: { readonly symbol: string; readonly pair: Pair; readonly askedAt: number },
): boolean {
  if (part === "openOrders") return decodeOpenOrders(payload, named) !== undefined;
  // No order has the id that was asked for: whatever the answer is, it is one of an order.
  return part === "orderInfo" || decodeOrderHistory(payload, named, "quote") !== undefined;
}

function knowsRequest(error: unknown): boolean {
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
