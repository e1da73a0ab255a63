import { pairKey, type Pair, type SymbolForm } from "../../market/pair.ts";
import { callOf } from "../call.ts";
import {
  endpoints,
  factsOf,
  isSigned,
  type CapabilityName,
  type EndpointForm,
  type SpecEndpoint,
} from "../endpoints.ts";
import { RefusedError } from "../errors.ts";
import { routesOf, type EndpointRoute } from "../paths.ts";
import type { ServiceProfile } from "../profile.ts";
import { formsFrom } from "./pairNames.ts";
import type { DiscoveryRequests } from "./requests.ts";

/** What a discovery of one exchange needs for every endpoint. */
export interface Discovery {
  readonly requests: DiscoveryRequests;
  /** Local clock, ms since the epoch. */
  readonly now: () => number;
  /** The current profile, whose paths are tried first. */
  readonly known?: ServiceProfile;
}

/** Each form of a symbol costs one request of the limited number. */
const MAX_FORMS = 3;
const NOT_SUPPORTED_PAIR = 61;

/** The forms of a symbol to try, the likely ones first. */
export function triedForms(likely: readonly SymbolForm[]): readonly SymbolForm[] {
  return formsFrom(likely).slice(0, MAX_FORMS);
}

/** The documented routes of an endpoint, that of the current profile first. Public ones are GET only. */
export function knownRoutes(
  endpoint: SpecEndpoint | CapabilityName,
  known: ServiceProfile | undefined,
): readonly EndpointRoute[] {
  const own = isOfSpec(endpoint) ? known?.endpoints[endpoint] : known?.features[endpoint];
  if (!own) return routesOf(endpoint);
  const method = isSigned(endpoint) ? own.method : "GET";
  const others = routesOf(endpoint).filter((each) => each.path !== own.path || each.method !== method);
  return [{ method, path: own.path, envelope: own.envelope ?? "A" }, ...others];
}

function isOfSpec(endpoint: SpecEndpoint | CapabilityName): endpoint is SpecEndpoint {
  return endpoints[endpoint].setting === "paths";
}

/** How an endpoint responded. `takesPair`: so the symbols in its form are proven. */
interface FoundForm {
  readonly form: EndpointForm;
  readonly takesPair: boolean;
}

/**
 * Finds a route to which the exchange responds in a known shape, and which of the symbol forms it accepts there. For an
 * account, an error about the order or the pair proves that the route works. `failed` is called with each failure, and
 * returns whether to go on.
 */
export async function findForm(
  endpoint: SpecEndpoint | CapabilityName,
  baseUrl: URL,
  traded: Pair,
  symbolForms: readonly SymbolForm[],
  { requests, now, known }: Discovery,
  failed: (error: unknown) => boolean = () => true,
): Promise<FoundForm | undefined> {
  const { probe, missing } = factsOf(endpoint).read ?? {};
  const sample = probe?.({ symbol: pairKey(traded), pair: traded });
  if (!sample) return undefined;
  for (const route of knownRoutes(endpoint, known)) {
    for (const symbolForm of symbolForms) {
      const form = { ...route, ...symbolForm };
      const parameters = sample.parameters(form);
      const takesPair = "sym" in parameters;
      const askedAt = now();
      const response = await requests.send(callOf(endpoint, baseUrl, form, parameters));
      if (response.ok) {
        const context = { form, askedAt, amountOfBuys: undefined };
        // No exchange has the sample's order, so every response without an error will do.
        if (missing !== undefined || sample.isKnown(response.payload, context)) return { form, takesPair };
      } else {
        const { error } = response;
        if (isSigned(endpoint) && takesPair && isCode(error, missing, NOT_SUPPORTED_PAIR))
          return { form, takesPair };
        if (!failed(error)) return undefined;
        // Another symbol form would fail in the same way.
        if (isWrongPath(error) || lacksPermission(error)) break;
      }
      if (!takesPair) break;
    }
  }
  return undefined;
}

function isCode(error: unknown, ...codes: readonly unknown[]): boolean {
  return error instanceof RefusedError && codes.includes(error.code);
}

export function lacksPermission(error: unknown): boolean {
  return error instanceof RefusedError && error.about === "permission";
}

export function isWrongPath(error: unknown): boolean {
  return (error as { readonly httpStatus?: unknown } | undefined)?.httpStatus === 404;
}
