import * as z from "zod/mini";
import type { SymbolOrder } from "../market/pair.ts";
import {
  byName,
  capabilityNames,
  factsOf,
  specEndpoints,
  type CapabilityName,
  type Endpoint,
  type EndpointForm,
  type SpecEndpoint,
} from "./endpoints.ts";

/**
 * Client order ids. `duplicates`: how the service treats a reused id; `unknown` if undocumented. `windowMs`: maximum age of
 * a signed request, if the service states one.
 */
interface ClientOrderIds {
  readonly duplicates: "unknown" | "refused" | "replayed" | "accepted";
  readonly windowMs?: number | undefined;
}

interface StreamAddress {
  /** Relative to the base URL, whose scheme becomes `wss:` (`ws:` on loopback). Ends with a slash if names follow. */
  readonly path: string;
  /** Host of the private stream, if it differs from the base URL's: see `mayStreamFrom`. */
  readonly host?: string | undefined;
}

/** Streams of a service: tickers by pair name, one pair's order book, and the account's orders. */
export const streamNames = ["tickerStream", "bookStream", "privateStream"] as const;
export type StreamName = (typeof streamNames)[number];

/** Everything a service offers beyond the four endpoints. A missing capability is not offered. */
export interface Features
  extends
    Readonly<Partial<Record<CapabilityName, EndpointForm>>>,
    Readonly<Partial<Record<StreamName, StreamAddress | undefined>>> {
  /** Orders accept a `client_id` and return it. */
  readonly clientOrderId?: ClientOrderIds | undefined;
  /** Orders accept `post_only`. */
  readonly postOnly?: boolean | undefined;
  /** Unit of `amount` in the order history of buys. Default: base in generation A, quote in the others. */
  readonly historyAmountOfBuys?: "base" | "quote" | undefined;
}

/** The four endpoints of the specification and nothing else. */
export const noFeatures: Features = {};

/** Path of an unknown or invalid feature: `feature:openOrders.path`. */
export type FeatureProblem = `feature:${string}`;

/**
 * A path with optional query, without a fragment. Rejects a second slash, which would name another host, and `..` segments,
 * also encoded, which would leave the base URL's path.
 */
const ROOT = /^\/(?!\/)(?!(?:[^?]*(?:\/|%2[fF]|%5[cC]))?(?:\.|%2[eE]){1,2}(?:[/?]|%2[fF]|%5[cC]|$))/.source;
const PATH = new RegExp(`${ROOT}[\\w\\-.~!$&'()*+,;=:@%/?]*$`);

/** The same without a query; pair names may follow. */
const STREAM_PATH = new RegExp(`${ROOT}[\\w\\-.~!$&'()*+,;=:@%/]*$`);
const NAMES_PATH = new RegExp(`${ROOT}(?:[\\w\\-.~!$&'()*+,;=:@%/]*\\/)?$`);

/** A lower-case host name, with a port if not the default. */
const HOST = /^[a-z0-9][a-z0-9.-]*(?::[0-9]{1,5})?$/;

/** Whether the text is a path below the base URL, with an optional query string. */
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
/** Requests that change the account are never GET: intermediaries may repeat a GET. */
const methodOf = (name: Endpoint) => (factsOf(name).effect ? z.literal("POST") : anyMethod);

const capability = (name: CapabilityName) =>
  z.optional(z.strictObject({ method: methodOf(name), path, ...symbolForm, envelope }));

const stream = (pattern: RegExp) =>
  z.optional(z.strictObject({ path: z.string().check(z.regex(pattern), z.maxLength(500)) }));

/** An endpoint of the specification: a path, or an object with the parts that differ. */
const specEndpoint = (name: SpecEndpoint) =>
  z.optional(
    z.union([
      z.literal(""),
      path,
      z.strictObject({
        method: z.optional(methodOf(name)),
        path: z.optional(path),
        ...symbolForm,
        envelope: z.optional(envelope),
      }),
    ]),
  );

/** Schema of `paths` in a profile. */
export const pathsSchema = z.strictObject(byName(specEndpoints, specEndpoint));

/**
 * Schema of `features` in a profile. Matches the JSON schema in `schemas/profile.json`.
 */
export const featuresSchema = z.strictObject({
  ...byName(capabilityNames, capability),
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
 * Parses a draft's features, or returns all its problems. A capability without a symbol order inherits that of the
 * tickers, `symbolOrder`.
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

/** Paths of the values that violate a schema, without repeats: `openOrders.path`; "" for the root. */
export function placesOf({ issues }: z.core.$ZodError): string[] {
  const places = issues.flatMap((issue) => {
    const keys = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [key]) : [[]];
    return keys.map((key) => [...issue.path, ...key].join("."));
  });
  return [...new Set(places)];
}
