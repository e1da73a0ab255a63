import type { Pair, SymbolForm } from "../../market/pair.ts";
import {
  endpointNames,
  factsOf,
  isSigned,
  type CapabilityName,
  type EndpointForm,
  type EndpointWith,
} from "../endpoints.ts";
import { RefusedError } from "../errors.ts";
import { routeIn, type EndpointRoute } from "../paths.ts";
import { findForm, isWrongPath, lacksPermission, triedForms, type Discovery } from "./endpointForm.ts";
import { formOf } from "./pairNames.ts";

/** The parts of the private API, in the order of discovery. */
export type AccountPart = EndpointWith<{ readonly access: "signed"; readonly read: unknown }>;
export const accountParts = endpointNames.filter(
  (name): name is AccountPart => isSigned(name) && factsOf(name).read !== undefined,
);

/** The private API of an exchange. Missing parts were not found. */
export interface AccountDiscovery {
  readonly wallet: EndpointRoute | undefined;
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

export interface AccountDiscoveryOptions extends Discovery {
  /** A listed pair, and the symbol forms of the public endpoints. */
  readonly sample: Pair;
  readonly forms: readonly SymbolForm[];
  readonly onPart?: (part: AccountPart, isFound: boolean) => void;
}

/** Error codes with which every signed request would be rejected: key, secret, IP address, user and clock. */
const KEY_CODES: ReadonlySet<number | string> = new Set([2, 3, 4, 5, 6, 7, 8, 9, "A1000", "V1003", "V1004"]);
const DEFAULT_FORM: SymbolForm = { symbolOrder: "quoteFirst", symbolCase: "upper" };

/**
 * Discovers what a key can read at `base` with signed reads only: no request places, cancels or changes anything. Endpoints
 * that only an order can test are those of the generation in which the endpoint closest to orders responded.
 */
export async function discoverAccount(
  baseUrl: URL,
  options: AccountDiscoveryOptions,
): Promise<AccountDiscovery> {
  const { requests, sample: traded, forms, onPart } = options;
  const account = new Failures();
  const found: Partial<Record<AccountPart, EndpointForm>> = {};
  let symbolForms = triedForms(forms);
  for (const part of accountParts) {
    if (account.isKeyRefused) break;
    const each = await findForm(part, baseUrl, traded, symbolForms, options, (error) =>
      account.add(part, error),
    );
    if (each) found[part] = each.form;
    if (each?.takesPair) symbolForms = [formOf(each.form)];
    onPart?.(part, each !== undefined);
  }
  const { wallet, ...features } = found;
  const { openOrders, orderHistory, orderInfo } = features;
  // Some exchanges serve the wallet in another generation than orders.
  const closest = openOrders ?? orderHistory ?? orderInfo ?? wallet;
  const generation = closest?.envelope === "B" ? "B" : "A";
  const trade = (name: "placeBid" | "placeAsk" | "cancelOrder"): EndpointForm => ({
    ...routeIn(generation, name),
    ...formOf(symbolForms[0] ?? DEFAULT_FORM),
  });
  return {
    wallet,
    features: openOrders
      ? { ...features, placeAsk: trade("placeAsk"), cancelOrder: trade("cancelOrder") }
      : features,
    placeBid: trade("placeBid"),
    hasClientIds: generation === "B" && openOrders !== undefined,
    error: wallet || features.balances ? undefined : account.error,
    denied: new Set([...account.denied].filter((part) => part === "wallet" || !features[part])),
    isComplete: requests.stopReason === undefined,
  };
}

/** The failures of signed reads of one account, of which the most specific is kept. */
class Failures {
  /** Parts rejected at least once for a missing permission. */
  readonly denied = new Set<AccountPart>();
  #error: unknown;

  get error(): unknown {
    return this.#error;
  }

  /** Whether every signed request would be rejected because of the key, the secret, the IP address or the clock. */
  get isKeyRefused(): boolean {
    return isOfKey(this.#error);
  }

  /** Keeps a rejected key over any other failure, and any other failure over a wrong path. False if the key was rejected. */
  add(part: AccountPart, error: unknown): boolean {
    if (lacksPermission(error)) this.denied.add(part);
    if (this.isKeyRefused) return false;
    if (this.#error === undefined || isOfKey(error) || (isWrongPath(this.#error) && !isWrongPath(error)))
      this.#error = error;
    return !this.isKeyRefused;
  }
}

function isOfKey(error: unknown): boolean {
  return error instanceof RefusedError && KEY_CODES.has(error.code);
}
