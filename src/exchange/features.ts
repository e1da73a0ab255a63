import * as z from "zod/mini";
import type { CapabilityName } from "../market/endpoints.ts";
import type { SymbolForm, SymbolOrder } from "../market/pair.ts";

/**
 * The generation of an answer: A and B have the envelope `{"error":0,"result":…}`, C has `{"code":"0","data":…}`. A pages
 * the order history by number, B by cursor.
 */
export type Generation = "A" | "B" | "C";

/** One endpoint of a service, in the form that this service wants. */
export interface EndpointForm extends SymbolForm {
  readonly method: "GET" | "POST";
  /** Relative to the base URL, with one slash at its beginning. It may contain a query string. */
  readonly path: string;
  /** Undefined: the shape of an answer decides. */
  readonly envelope: Generation | undefined;
}

/**
 * The text that a client may give to an order. `duplicates` is what the service does with a second use: `unknown` if
 * nobody says so. `windowMs`: the service refuses a signed request that is older than this, if it states such a time.
 */
interface ClientOrderIds {
  readonly duplicates: "unknown" | "refused" | "replayed" | "accepted";
  readonly windowMs?: number | undefined;
}

/** Where a stream of the service is. */
interface StreamAddress {
  /** Relative to the base URL whose scheme becomes `wss:` (`ws:` on loopback). It ends with a slash if names follow. */
  readonly path: string;
  /** The host of the private stream, if it is not the base URL's: see `mayStreamFrom`. */
  readonly host?: string | undefined;
}

/** The streams of a service: tickers by the names of pairs, the order book of one pair, and the own orders. */
export const streamNames = ["tickerStream", "bookStream", "privateStream"] as const;
type StreamName = (typeof streamNames)[number];

/** Everything that a service offers beyond the four endpoints. A missing capability is not offered. */
export interface Features
  extends
    Readonly<Partial<Record<CapabilityName, EndpointForm>>>,
    Readonly<Partial<Record<StreamName, StreamAddress | undefined>>> {
  /** Orders take `client_id` and give it back. */
  readonly clientOrderId?: ClientOrderIds | undefined;
  /** Orders take `post_only`. */
  readonly postOnly?: boolean | undefined;
  /** The unit of `amount` in the order history of buys. Missing: base in generation A, quote in the others. */
  readonly historyAmountOfBuys?: "base" | "quote" | undefined;
}

/** The four endpoints of the specification and nothing else. */
export const noFeatures: Features = {};

/** A part of the features that is unknown or has a wrong value, by its place: `feature:openOrders.path`. */
export type FeatureProblem = `feature:${string}`;

/**
 * Characters of a path with a query, without a fragment. A second slash would name another host, and a segment `..`, also
 * encoded, a path outside the base URL's.
 */
const ROOT = /^\/(?!\/)(?!(?:[^?]*(?:\/|%2[fF]|%5[cC]))?(?:\.|%2[eE]){1,2}(?:[/?]|%2[fF]|%5[cC]|$))/.source;
const PATH = new RegExp(`${ROOT}[\\w\\-.~!$&'()*+,;=:@%/?]*$`);

/** The same without a query: names of pairs may follow, or nothing. */
const STREAM_PATH = new RegExp(`${ROOT}[\\w\\-.~!$&'()*+,;=:@%/]*$`);
const NAMES_PATH = new RegExp(`${ROOT}(?:[\\w\\-.~!$&'()*+,;=:@%/]*\\/)?$`);

/** A host name in lower case, with a port if it is not the usual one. */
const HOST = /^[a-z0-9][a-z0-9.-]*(?::[0-9]{1,5})?$/;

/** A path relative to the base URL and below it, also with a query string. */
export function isPath(text: string): boolean {
  return PATH.test(text);
}

const symbolForm = {
  symbolOrder: z.optional(z.enum(["quoteFirst", "baseFirst"])),
  symbolCase: z.optional(z.enum(["upper", "lower"])),
};
const envelope = z.enum(["A", "B", "C"]);
const path = z.string().check(z.regex(PATH), z.maxLength(500));
const anyMethod = z.enum(["GET", "POST"]);
/** A change of the account is never a GET: whatever lies between may repeat a GET. */
const changeMethod = z.literal("POST");
const reading = z.optional(z.strictObject({ method: anyMethod, path, ...symbolForm, envelope }));
const change = z.optional(z.strictObject({ method: changeMethod, path, ...symbolForm, envelope }));

const stream = (pattern: RegExp) =>
  z.optional(z.strictObject({ path: z.string().check(z.regex(pattern), z.maxLength(500)) }));

/** An endpoint of the specification: a path, or only what differs from the specification. */
const specEndpoint = <T extends typeof anyMethod | typeof changeMethod>(method: T) =>
  z.optional(
    z.union([
      z.literal(""),
      path,
      z.strictObject({
        method: z.optional(method),
        path: z.optional(path),
        ...symbolForm,
        envelope: z.optional(envelope),
      }),
    ]),
  );

/** The setting `bidside.exchange.paths`, and `paths` of a profile file. */
export const pathsSchema = z.strictObject({
  serverTime: specEndpoint(anyMethod),
  tickers: specEndpoint(anyMethod),
  wallet: specEndpoint(anyMethod),
  placeBid: specEndpoint(changeMethod),
});

/** The setting `bidside.exchange.features`, and `features` of a profile file. The JSON schema in package.json is equal. */
export const featuresSchema = z.strictObject({
  placeAsk: change,
  cancelOrder: change,
  openOrders: reading,
  orderInfo: reading,
  orderHistory: reading,
  balances: reading,
  symbols: reading,
  depth: reading,
  trades: reading,
  status: reading,
  feeCredits: reading,
  clientOrderId: z.optional(
    z.strictObject({
      duplicates: z.enum(["unknown", "refused", "replayed", "accepted"]),
      windowMs: z.optional(z.int().check(z.minimum(1000), z.maximum(86_400_000))),
    }),
  ),
  postOnly: z.optional(z.boolean()),
  historyAmountOfBuys: z.optional(z.enum(["base", "quote"])),
  tickerStream: stream(NAMES_PATH),
  bookStream: stream(NAMES_PATH),
  privateStream: z.optional(
    z.strictObject({
      path: z.string().check(z.regex(STREAM_PATH), z.maxLength(500)),
      host: z.optional(z.string().check(z.regex(HOST), z.maxLength(260))),
    }),
  ),
});

/**
 * The features that a draft describes, or the places of all its problems. A capability without a symbol order has
 * `symbolOrder`, that of the tickers.
 */
export function readFeatures(draft: unknown, symbolOrder: SymbolOrder): Features | FeatureProblem[] {
  const read = featuresSchema.safeParse(draft);
  if (!read.success) return problemsOf(read.error);
  const { clientOrderId, postOnly, historyAmountOfBuys, ...others } = read.data;
  const { tickerStream, bookStream, privateStream, ...capabilities } = others;
  const complete = Object.entries(capabilities).flatMap(([name, given]) =>
    given ? [[name, { symbolOrder, symbolCase: "upper", ...given }]] : [],
  );
  return {
    ...(Object.fromEntries(complete) as Partial<Record<CapabilityName, EndpointForm>>),
    ...(clientOrderId && { clientOrderId }),
    ...(postOnly !== undefined && { postOnly }),
    ...(historyAmountOfBuys && { historyAmountOfBuys }),
    ...(tickerStream && { tickerStream }),
    ...(bookStream && { bookStream }),
    ...(privateStream && { privateStream }),
  };
}

function problemsOf(error: z.core.$ZodError): FeatureProblem[] {
  return placesOf(error).map((place) => `feature:${place}` as const);
}

/** The place of each value that does not fit a schema, each once: `openOrders.path`; "" for the whole. */
export function placesOf({ issues }: z.core.$ZodError): string[] {
  const places = issues.flatMap((issue) => {
    const keys = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [key]) : [[]];
    return keys.map((key) => [...issue.path, ...key].join("."));
  });
  return [...new Set(places)];
}
