import {
  ExchangeError,
  noResponseReasons,
  NoResponseError,
  NotSentError,
  notSentReasons,
  RefusedError,
  retryTime,
  unreadableReasons,
  UnreadableResponseError,
  type NoResponseReason,
  type NotSentReason,
  type UnreadableReason,
} from "./errors.ts";
import type { Endpoint } from "./endpoints.ts";
import { hasCodeForm } from "./serviceCodes.ts";

/** What a response means whose status says more than its content. */
const statusMeanings = [
  /** HTTP 401 without an error code of the exchange. */
  "signInWanted",
  /** HTTP 403 without an error code of the exchange: usually a firewall in front of it. */
  "forbidden",
  /** HTTP 451: blocked for legal reasons. */
  "notInThisCountry",
  /** HTTP 404 and similar: the exchange has no such path, or no longer. */
  "wrongPath",
  /** HTTP 503: maintenance or overload. */
  "unavailable",
  /** Any other HTTP 5xx. */
  "outage",
  /** Any other HTTP 4xx. */
  "badRequest",
] as const;

/**
 * What a failed request means to the user, one value per explanation: `src/ui/text/errorText.ts` has its message,
 * remedy and button. "code": an error code of the exchange, documented or not.
 */
export type Meaning =
  | NotSentReason
  | NoResponseReason
  | Exclude<UnreadableReason, "httpStatus">
  | (typeof statusMeanings)[number]
  | "code"
  | "internal";

const meanings: ReadonlySet<string> = new Set([
  ...Object.keys(notSentReasons),
  ...Object.keys(noResponseReasons),
  ...Object.keys(unreadableReasons),
  ...statusMeanings,
  "code",
]);

/** Whether the text is the meaning of a failed request. */
export function isMeaning(text: string): text is Meaning {
  return meanings.has(text) && text !== "httpStatus";
}

/** The failed read of another window. */
export class ReportedError extends ExchangeError {
  readonly kind = "reported";
  readonly provesNothingHappened = false;
  readonly meaning: Meaning;
  /** 0 without a response. */
  readonly httpStatus: number;

  constructor(
    endpoint: Endpoint,
    meaning: Meaning,
    httpStatus: number,
    options?: { readonly retryAt?: number | undefined; readonly limitsHost?: boolean | undefined },
  ) {
    super(endpoint, `${endpoint}: ${meaning}, as another window found`, options);
    this.meaning = meaning;
    this.httpStatus = httpStatus;
  }
}

/** Classifies a failure. If the exchange's clock could not be measured, the cause of that is classified. */
export function meaningOf(error: unknown): Meaning {
  const root = rootOf(error);
  if (root instanceof ReportedError) return root.meaning;
  if (root instanceof NotSentError) return root.reason;
  if (root instanceof NoResponseError) return root.reason;
  if (root instanceof UnreadableResponseError)
    return root.reason === "httpStatus" ? meaningOfStatus(root.httpStatus) : root.reason;
  if (!(root instanceof RefusedError)) return "internal";
  if (root.contradictsItself) return "contradictory";
  if (root.isRateLimit) return "rateLimit";
  return isFrontEnds(root) ? meaningOfStatus(root.httpStatus) : "code";
}

/** The error to show to the user: if a request could not be signed, the error of measuring the clock. */
export function rootOf(error: unknown): unknown {
  const isUnsigned = error instanceof NotSentError && error.reason === "clockUnknown";
  return isUnsigned && error.cause instanceof ExchangeError ? error.cause : error;
}

/** The HTTP status of the response that failed; undefined without one. */
export function statusOf(error: unknown): number | undefined {
  const hasStatus =
    error instanceof RefusedError ||
    error instanceof UnreadableResponseError ||
    error instanceof ReportedError;
  return hasStatus ? error.httpStatus : undefined;
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
 * Whether a gateway or firewall in front of the exchange responded: its "error code" is just the HTTP status, in digits or
 * words (`{"error":404}`, `{"error":"Forbidden"}`).
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

/** Whether nothing listens at the exchange's address, or the network is down. */
export function isUnreachable(error: unknown): boolean {
  return UNREACHED.has(meaningOf(error));
}

/** Whether the failure is a response, from the exchange or from something in front of it. */
export function isAnswer(error: unknown): boolean {
  const root = rootOf(error);
  return root instanceof RefusedError || root instanceof UnreadableResponseError;
}

const TRANSIENT: ReadonlySet<Meaning> = new Set<Meaning>([
  ...UNREACHED,
  "timeout",
  "connectionLost",
  "unavailable",
  "outage",
]);

/** Whether retrying the same read may soon succeed. */
export function isTransient(error: unknown): boolean {
  return retryTime(error) === undefined && TRANSIENT.has(meaningOf(error));
}
