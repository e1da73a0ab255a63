import type { SymbolOrder } from "../market/pair.ts";
import { isLoopback } from "../http/loopback.ts";
import {
  byName,
  capabilityNames,
  specEndpoints,
  type Endpoint,
  type EndpointForm,
  type SpecEndpoint,
} from "./endpoints.ts";
import {
  isPath,
  noFeatures,
  pathsSchema,
  readFeatures,
  type FeatureProblem,
  type Features,
} from "./features.ts";
import { routeIn, sharedPathOf, specPaths } from "./paths.ts";
import { mayStreamFrom } from "./stream/streamHost.ts";

export type WalletMethod = "auto" | "GET" | "POST";

/** Everything that differs between exchanges of this family. */
export interface ServiceProfile {
  /** `https:`, or `http:` on loopback. May have a path prefix, but no query or user info. */
  readonly baseUrl: URL;
  /** Prefix of the three private headers, with its trailing dash: `X-SVC-`. */
  readonly headerPrefix: string;
  readonly endpoints: Readonly<Record<SpecEndpoint, EndpointForm>>;
  /** `auto`: GET, then POST if the exchange reports a wrong method. */
  readonly walletMethod: WalletMethod;
  /** Order of the assets in ticker symbols, and in endpoints that do not specify one. */
  readonly symbolOrder: SymbolOrder;
  /**
   * Path of the price history, relative to the base URL. May contain a query string with `{base}` and `{quote}` if
   * histories name pairs differently from tickers.
   */
  readonly historyPath: string | undefined;
  readonly features: Features;
}

/** An unchecked profile of an account or a file. */
export interface ProfileDraft {
  readonly baseUrl: string;
  readonly headerPrefix: string;
  readonly paths: Partial<Record<string, unknown>>;
  readonly walletMethod: string;
  readonly symbolOrder: string;
  /** "" or missing: no price history. */
  readonly historyPath?: string;
  /** Missing: only the four endpoints of the specification. */
  readonly features?: unknown;
}

export type ProfileProblem =
  | "baseUrlMissing"
  | "baseUrlInvalid"
  | "baseUrlInsecure" /** plain http to another computer */
  | "baseUrlExtras" /** query, fragment or user info */
  | "headerPrefixInvalid"
  | "pathInvalid"
  /** Part of an endpoint in `paths` has an invalid value. */
  | `endpoint:${string}`
  /** The first endpoint uses the path of the second: `sharedPath:placeBid placeAsk`. */
  | `sharedPath:${string}`
  | "walletMethodInvalid"
  | "symbolOrderInvalid"
  | "historyPathInvalid"
  | FeatureProblem;

const textOf = (value: unknown, usual: string): string => (typeof value === "string" ? value : usual);

/** Fills in the usual value of each part that is missing or of another type. */
export function draftOf(given: { readonly [Part in keyof ProfileDraft]?: unknown }): Required<ProfileDraft> {
  return {
    baseUrl: textOf(given.baseUrl, ""),
    headerPrefix: textOf(given.headerPrefix, "X-SVC-"),
    paths: typeof given.paths === "object" ? { ...given.paths } : {},
    walletMethod: textOf(given.walletMethod, "auto"),
    symbolOrder: textOf(given.symbolOrder, "quoteFirst"),
    historyPath: textOf(given.historyPath, ""),
    features: given.features ?? {},
  };
}

const TOKEN = /^[A-Za-z][A-Za-z0-9-]{0,62}-$/;
const PLACEHOLDER = /\{(?:base|quote)\}/g;

/** Validates a draft. Returns the profile, or all problems. */
export function readProfile(draft: ProfileDraft): ServiceProfile | ProfileProblem[] {
  const problems: ProfileProblem[] = [];
  const baseUrl = readBaseUrl(draft.baseUrl.trim(), problems);
  if (!TOKEN.test(draft.headerPrefix)) problems.push("headerPrefixInvalid");
  const symbolOrder = oneOf(draft.symbolOrder, ["quoteFirst", "baseFirst"] as const);
  const read = readEndpoints(draft.paths, symbolOrder ?? "quoteFirst", problems);
  const given = oneOf(draft.walletMethod, ["auto", "GET", "POST"] as const);
  if (!given) problems.push("walletMethodInvalid");
  if (!symbolOrder) problems.push("symbolOrderInvalid");
  const historyPath = draft.historyPath || undefined;
  if (historyPath !== undefined && !isPath(historyPath.replaceAll(PLACEHOLDER, "")))
    problems.push("historyPathInvalid");
  const features = readFeatures(draft.features ?? noFeatures, symbolOrder ?? "quoteFirst");
  if (Array.isArray(features)) problems.push(...features);
  const streamHost = Array.isArray(features) ? undefined : features.privateStream?.host;
  if (baseUrl && streamHost !== undefined && !mayStreamFrom(baseUrl, streamHost))
    problems.push("feature:privateStream.host");
  if (!baseUrl || !given || !symbolOrder || !read || Array.isArray(features) || problems.length > 0)
    return problems;
  const profile = {
    baseUrl,
    headerPrefix: draft.headerPrefix,
    endpoints: read.endpoints,
    walletMethod: read.walletMethod ?? given,
    symbolOrder,
    historyPath,
    features,
  };
  const shared = sharedPathOf(pathsOf(profile));
  return shared ? [`sharedPath:${shared.join(" ")}`] : profile;
}

/** An endpoint of a profile with its method. Streams begin with a GET. */
export interface ProfilePath {
  readonly endpoint: Endpoint;
  readonly method: EndpointForm["method"];
  readonly path: string;
}

/** All paths of a profile except streams of public data. */
export function pathsOf({
  endpoints,
  walletMethod,
  historyPath,
  features,
}: Omit<ServiceProfile, "baseUrl" | "headerPrefix" | "symbolOrder">): readonly ProfilePath[] {
  const { privateStream } = features;
  return [
    ...specEndpoints.map((endpoint) => {
      const { method, path } = endpoints[endpoint];
      return { endpoint, method: endpoint === "wallet" && walletMethod === "POST" ? "POST" : method, path };
    }),
    ...capabilityNames.flatMap((endpoint) => {
      const form = features[endpoint];
      return form ? [{ endpoint, method: form.method, path: form.path }] : [];
    }),
    ...(historyPath === undefined
      ? []
      : [{ endpoint: "history", method: "GET", path: historyPath } as const]),
    ...(privateStream
      ? [{ endpoint: "privateStream", method: "GET", path: privateStream.path } as const]
      : []),
  ];
}

function readBaseUrl(text: string, problems: ProfileProblem[]): URL | undefined {
  if (text === "") {
    problems.push("baseUrlMissing");
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.hostname === "" || !["https:", "http:"].includes(url.protocol))
    problems.push("baseUrlInvalid");
  else if (url.protocol === "http:" && !isLoopback(url)) problems.push("baseUrlInsecure");
  else if (url.search || url.hash || url.username || url.password) problems.push("baseUrlExtras");
  else return url;
  return undefined;
}

interface ReadEndpoints {
  readonly endpoints: ServiceProfile["endpoints"];
  /** Only the wallet may override its method. */
  readonly walletMethod: EndpointForm["method"] | undefined;
}

function readEndpoints(
  draft: ProfileDraft["paths"],
  symbolOrder: SymbolOrder,
  problems: ProfileProblem[],
): ReadEndpoints | undefined {
  const known: Record<string, unknown> = byName(specEndpoints, (name) => draft[name] ?? "");
  const read = pathsSchema.safeParse(known);
  if (!read.success) {
    for (const name of new Set(read.error.issues.map(({ path }) => String(path[0])))) {
      const problem = typeof known[name] === "object" ? (`endpoint:${name}` as const) : "pathInvalid";
      if (!problems.includes(problem)) problems.push(problem);
    }
    return undefined;
  }
  const formOf = (name: SpecEndpoint): EndpointForm => {
    const given = read.data[name];
    const own = typeof given === "object" ? given : { path: given };
    return {
      method: own.method ?? routeIn("A", name).method,
      path: own.path || specPaths[name],
      symbolOrder: own.symbolOrder ?? symbolOrder,
      symbolCase: own.symbolCase ?? "upper",
      envelope: own.envelope,
    };
  };
  const { wallet } = read.data;
  return {
    endpoints: byName(specEndpoints, formOf),
    walletMethod: typeof wallet === "object" ? wallet.method : undefined,
  };
}

function oneOf<T extends string>(text: string, allowed: readonly T[]): T | undefined {
  return allowed.find((each) => each === text);
}
