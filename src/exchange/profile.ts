import type { SymbolOrder } from "../market/pair.ts";
import { isPath, noFeatures, readFeatures, type FeatureProblem, type Features } from "./features.ts";

export type WalletMethod = "auto" | "GET" | "POST";

/**
 * The four paths of an exchange, relative to its base URL, each beginning with a slash. They may contain a query
 * string.
 */
export type Paths = Readonly<Record<"serverTime" | "tickers" | "wallet" | "placeBid", string>>;

/** Everything that differs between exchanges of this family. */
export interface ServiceProfile {
  /** `https:`, or `http:` on loopback. A path prefix is allowed, a query or user info is not. */
  readonly baseUrl: URL;
  /**
   * First part of the names of the three private headers, which differs by exchange, with its closing dash: `X-SVC-`.
   */
  readonly headerPrefix: string;
  readonly paths: Paths;
  readonly walletMethod: WalletMethod;
  readonly symbolOrder: SymbolOrder;
  /**
   * Path of the price history, relative to the base URL, if the exchange has one. It may contain a query string with
   * `{base}` and `{quote}` if histories name pairs in another way than tickers.
   */
  readonly historyPath: string | undefined;
  readonly features: Features;
}

/** A profile as configured: unchecked text. */
export interface ProfileDraft {
  readonly baseUrl: string;
  readonly headerPrefix: string;
  readonly paths: Partial<Record<string, unknown>>;
  readonly walletMethod: string;
  readonly symbolOrder: string;
  /** "" or missing: no price history. */
  readonly historyPath?: string;
  /** Missing: the four endpoints of the specification and nothing else. */
  readonly features?: unknown;
}

export type ProfileProblem =
  | "baseUrlMissing"
  | "baseUrlInvalid"
  | "baseUrlInsecure" /** plain http to another computer */
  | "baseUrlExtras" /** query, fragment or user info */
  | "headerPrefixInvalid"
  | "pathInvalid"
  | "walletMethodInvalid"
  | "symbolOrderInvalid"
  | "historyPathInvalid"
  | FeatureProblem;

/** The paths of spec section 4. */
export const specPaths: Paths = {
  serverTime: "/api/servertime",
  tickers: "/api/market/ticker",
  wallet: "/api/market/wallet",
  placeBid: "/api/market/place-bid",
};

const TOKEN = /^[A-Za-z][A-Za-z0-9-]{0,62}-$/;
const PLACEHOLDER = /\{(?:base|quote)\}/g;

/** The profile that a draft describes, or all its problems. */
export function readProfile(draft: ProfileDraft): ServiceProfile | ProfileProblem[] {
  const problems: ProfileProblem[] = [];
  const baseUrl = readBaseUrl(draft.baseUrl.trim(), problems);
  if (!TOKEN.test(draft.headerPrefix)) problems.push("headerPrefixInvalid");
  const paths = readPaths(draft.paths, problems);
  const walletMethod = oneOf(draft.walletMethod, ["auto", "GET", "POST"] as const);
  if (!walletMethod) problems.push("walletMethodInvalid");
  const symbolOrder = oneOf(draft.symbolOrder, ["quoteFirst", "baseFirst"] as const);
  if (!symbolOrder) problems.push("symbolOrderInvalid");
  const historyPath = draft.historyPath || undefined;
  if (historyPath !== undefined && !isPath(historyPath.replaceAll(PLACEHOLDER, "")))
    problems.push("historyPathInvalid");
  const features = readFeatures(draft.features ?? noFeatures, symbolOrder ?? "quoteFirst");
  if (Array.isArray(features)) problems.push(...features);
  if (!baseUrl || !walletMethod || !symbolOrder || Array.isArray(features) || problems.length > 0)
    return problems;
  return {
    baseUrl,
    headerPrefix: draft.headerPrefix,
    paths,
    walletMethod,
    symbolOrder,
    historyPath,
    features,
  };
}

/** Whether traffic to this host never leaves the computer: the whole 127.0.0.0/8, ::1 and localhost. */
export function isLoopback(url: URL): boolean {
  return (
    url.hostname === "localhost" || url.hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(url.hostname)
  );
}

/**
 * The text that is requested and signed: path prefix of the base URL, path of the endpoint, and its query string if
 * any.
 */
export function requestTarget(profile: ServiceProfile, endpoint: keyof Paths): URL {
  return targetOf(profile, profile.paths[endpoint]);
}

/** The same for any path, which may contain a query string. */
export function targetOf({ baseUrl }: ServiceProfile, path: string): URL {
  const [pathname = "", query = ""] = path.split(/\?(.*)/s);
  const target = new URL(baseUrl);
  target.pathname = target.pathname.replace(/\/+$/, "") + pathname;
  target.search = query;
  return target;
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

function readPaths(draft: ProfileDraft["paths"], problems: ProfileProblem[]): Paths {
  const paths = { ...specPaths };
  for (const endpoint of Object.keys(specPaths) as (keyof Paths)[]) {
    const path = draft[endpoint];
    if (path === undefined || path === "") continue;
    if (typeof path !== "string" || !isPath(path)) {
      if (!problems.includes("pathInvalid")) problems.push("pathInvalid");
    } else paths[endpoint] = path;
  }
  return paths;
}

function oneOf<T extends string>(text: string, allowed: readonly T[]): T | undefined {
  return allowed.find((each) => each === text);
}
