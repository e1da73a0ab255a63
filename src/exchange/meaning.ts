import type { Endpoint } from "../market/endpoints.ts";
import {
  ExchangeError,
  NoAnswerError,
  NotSentError,
  RefusedError,
  UnreadableAnswerError,
  type NotSentReason,
  type UnreadableReason,
} from "./errors.ts";
import { hasCodeForm } from "./serviceCodes.ts";

/**
 * What a failed request means for a person: one word for each sentence and remedy. `src/ui/text/errorText.ts` has the
 * sentences, and `src/desk/liveSetup.ts` the step of the set-up that mends it.
 */
export type Meaning =
  | Exclude<NotSentReason, "blocked">
  | NoAnswerError["reason"]
  | Exclude<UnreadableReason, "httpStatus">
  /** A code of the exchange, documented or not. */
  | "code"
  | "rateLimit"
  /** HTTP 401 without a code of the exchange. */
  | "signInWanted"
  /** HTTP 403 without a code of the exchange: mostly a firewall in front of it. */
  | "forbidden"
  /** HTTP 451: for legal reasons. */
  | "notInThisCountry"
  /** HTTP 404 and its siblings: the exchange does not have this path, or has it no more. */
  | "wrongPath"
  /** HTTP 503: maintenance or overload. */
  | "unavailable"
  /** Any other HTTP 5xx. */
  | "outage"
  /** Any other HTTP 4xx. */
  | "badRequest"
  | "internal";

/** What the failure means. A clock that could not be read means what prevented its reading. */
export function meaningOf(error: unknown): Meaning {
  const root = rootOf(error);
  if (root instanceof NotSentError) return root.reason === "blocked" ? "rateLimit" : root.reason;
  if (root instanceof NoAnswerError) return root.reason;
  if (root instanceof UnreadableAnswerError)
    return root.reason === "httpStatus" ? meaningOfStatus(root.httpStatus) : root.reason;
  if (!(root instanceof RefusedError)) return "internal";
  if (root.contradictsItself) return "contradictory";
  if (root.isRateBlock) return "rateLimit";
  return isFrontEnds(root) ? meaningOfStatus(root.httpStatus) : "code";
}

/** The error that a person must know of: a request that was not signed has the error of the clock's reading. */
export function rootOf(error: unknown): unknown {
  const isUnsigned = error instanceof NotSentError && error.reason === "clockUnknown";
  return isUnsigned && error.cause instanceof ExchangeError ? error.cause : error;
}

const STATUSES: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [401, "signInWanted"],
  [403, "forbidden"],
  [404, "wrongPath"],
  [405, "wrongPath"],
  [407, "proxySignIn"],
  [410, "wrongPath"],
  [451, "notInThisCountry"],
  [501, "wrongPath"],
  [503, "unavailable"],
]);

function meaningOfStatus(status: number): Meaning {
  return STATUSES.get(status) ?? (status >= 500 ? "outage" : "badRequest");
}

/**
 * Whether what answered was a gateway or a firewall in front of the exchange: its error is no code, but the HTTP status
 * once more, in digits or in words (`{"error":404}`, `{"error":"Forbidden"}`).
 */
function isFrontEnds({ code, meaning, httpStatus }: RefusedError): boolean {
  if (meaning !== undefined || !(STATUSES.has(httpStatus) || httpStatus >= 500)) return false;
  return String(code) === String(httpStatus) || !hasCodeForm(String(code));
}

const UNREACHED: ReadonlySet<Meaning> = new Set<Meaning>([
  "hostNotFound",
  "connectionRefused",
  "unreachable",
]);

/** Whether nobody listens at the exchange's address, or the network is down. */
export function isUnreachable(error: unknown): boolean {
  return UNREACHED.has(meaningOf(error));
}

/** Whether the failure is an answer, of the exchange or of what is in front of it. */
export function isAnswer(error: unknown): boolean {
  const root = rootOf(error);
  return root instanceof RefusedError || root instanceof UnreadableAnswerError;
}

const TRANSIENT: ReadonlySet<Meaning> = new Set<Meaning>([
  ...UNREACHED,
  "timeout",
  "connectionLost",
  "unavailable",
  "outage",
]);

/** Whether the same read may succeed in a moment. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.has(meaningOf(error));
}

const PUBLIC: ReadonlySet<Endpoint> = new Set<Endpoint>([
  "serverTime",
  "tickers",
  "history",
  "symbols",
  "depth",
  "trades",
  "status",
]);

/** Whether requests to the endpoint carry the API key. */
export function isSigned(endpoint: Endpoint): boolean {
  return !PUBLIC.has(endpoint);
}
