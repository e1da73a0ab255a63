import * as z from "zod/mini";
import type { CapabilityName } from "../market/endpoints.ts";
import type { Pair, SymbolOrder } from "../market/pair.ts";

/**
 * The generation of an answer: A and B have the envelope `{"error":0,"result":…}`, C has `{"code":"0","data":…}`. A pages
 * the order history by number, B by cursor.
 */
export type Generation = "A" | "B" | "C";

/** One endpoint that a service offers, in the form that this service wants. */
export interface Capability {
  readonly method: "GET" | "POST";
  /** Relative to the base URL, with one slash at its beginning. It may contain a query string. */
  readonly path: string;
  readonly symbolOrder: SymbolOrder;
  /** The letter case of a symbol in requests. Answers are read in any case. */
  readonly symbolCase: "upper" | "lower";
  readonly envelope: Generation;
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
}

/** The streams of a service: tickers by the names of pairs, the order book of one pair, and the own orders. */
export const streamNames = ["tickerStream", "bookStream", "privateStream"] as const;
type StreamName = (typeof streamNames)[number];

/** Everything that a service offers beyond the four endpoints. A missing capability is not offered. */
export interface Features
  extends
    Readonly<Partial<Record<CapabilityName, Capability>>>,
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

/** Characters of a path with a query, without a fragment. A second slash would name another host. */
const PATH = /^\/(?!\/)[\w\-.~!$&'()*+,;=:@%/?]*$/;

/** The same without a query: names of pairs may follow, or nothing. */
const STREAM_PATH = /^\/(?!\/)[\w\-.~!$&'()*+,;=:@%/]*$/;
const NAMES_PATH = /^\/(?!\/)(?:[\w\-.~!$&'()*+,;=:@%/]*\/)?$/;

/** A path relative to the base URL, also with a query string. */
export function isPath(text: string): boolean {
  return PATH.test(text);
}

const symbolForm = {
  symbolOrder: z.optional(z.enum(["quoteFirst", "baseFirst"])),
  symbolCase: z.optional(z.enum(["upper", "lower"])),
  envelope: z.enum(["A", "B", "C"]),
};
const path = z.string().check(z.regex(PATH), z.maxLength(500));
const reading = z.optional(z.strictObject({ method: z.enum(["GET", "POST"]), path, ...symbolForm }));
/** A change of the account is never a GET: whatever lies between may repeat a GET. */
const change = z.optional(z.strictObject({ method: z.literal("POST"), path, ...symbolForm }));

const stream = (pattern: RegExp) =>
  z.optional(z.strictObject({ path: z.string().check(z.regex(pattern), z.maxLength(500)) }));

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
  privateStream: stream(STREAM_PATH),
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
    ...(Object.fromEntries(complete) as Partial<Record<CapabilityName, Capability>>),
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

/** The name of a pair in a request to this endpoint. */
export function symbolFor({ quote, base }: Pair, { symbolOrder, symbolCase }: Capability): string {
  const symbol = symbolOrder === "quoteFirst" ? `${quote}_${base}` : `${base}_${quote}`;
  return symbolCase === "lower" ? symbol.toLowerCase() : symbol;
}
