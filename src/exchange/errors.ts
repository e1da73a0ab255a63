import { TransportError } from "../http/errors.ts";
import type { Endpoint } from "./endpoints.ts";
import { serviceCode, tooManyRequests, type Concern, type ServiceCode } from "./serviceCodes.ts";

interface ErrorOptions {
  readonly cause?: unknown;
  readonly path?: string | undefined;
  readonly retryAt?: number | undefined;
  readonly limitsHost?: boolean | undefined;
}

/**
 * Any failure between Bidside and an exchange, with one class per cause, because each cause means something different for
 * the trader's money. Messages contain text of the exchange and the network, never a key, secret or signature.
 */
export abstract class ExchangeError extends Error {
  abstract readonly kind: "notSent" | "noAnswer" | "refused" | "unreadable" | "reported";
  readonly endpoint: Endpoint;
  /** The requested path, without its query; undefined if irrelevant. */
  readonly path: string | undefined;
  /** For a rate limit: when the next request is allowed, ms since the epoch on the local clock. */
  readonly retryAt: number | undefined;
  /** Whether the rate limit applies to all endpoints of the host: a front end of the exchange set it. */
  readonly limitsHost: boolean;

  constructor(endpoint: Endpoint, message: string, options: ErrorOptions = {}) {
    const { cause } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.endpoint = endpoint;
    this.path = options.path;
    // A rate limit on server time delays signed requests too.
    this.retryAt = options.retryAt ?? retryTime(cause);
    this.limitsHost = options.limitsHost ?? (cause instanceof ExchangeError && cause.limitsHost);
  }

  /** True if the exchange provably did not act on the request. Without this proof an order is unknown. */
  abstract readonly provesNothingHappened: boolean;
}

/** Why nothing was sent, in plain English for the journal. */
export const notSentReasons = {
  unreachable: "the exchange could not be reached",
  hostNotFound: "no server with the exchange's name was found",
  connectionRefused: "the exchange's server refused the connection",
  handshake: "no secure connection to the exchange could be made",
  proxySignIn: "a proxy asked for a user name and password",
  proxyRefused: "a proxy refused the connection to the exchange",
  certificate: "the exchange's certificate was not trusted",
  unknownIssuer: "the exchange's certificate was issued by an authority that this computer does not know",
  notHttp: "the server did not speak HTTP",
  insecure: "plain http is for this computer only",
  noCredentials: "no API key was stored",
  credentialsUnreadable: "the stored API key could not be read",
  badCredentials: "the stored API key cannot be sent",
  keyChanged: "another API key was stored after the confirmation",
  keyOwnerUnknown: "the stored API key may belong to another account",
  clockUnknown: "the exchange's clock could not be read",
  rateLimit: "the exchange's rate limit was still running",
  notOffered: "the exchange offers no orders to sell",
  tooLate: "it took too long, the price moved, or another exchange or account was opened",
};
export type NotSentReason = keyof typeof notSentReasons;

/** No byte of the request left this computer. */
export class NotSentError extends ExchangeError {
  readonly kind = "notSent";
  readonly provesNothingHappened = true;
  readonly reason: NotSentReason;

  constructor(endpoint: Endpoint, reason: NotSentReason, detail: string, options?: ErrorOptions) {
    super(endpoint, `${endpoint}: not sent (${reason}): ${detail}`, options);
    this.reason = reason;
  }
}

/** Why there is no complete response, in plain English for the journal. */
export const noResponseReasons = {
  timeout: "the exchange did not respond in time",
  connectionLost: "the connection was lost before the response was complete",
  notHttp: "the response was not valid HTTP",
};
export type NoResponseReason = keyof typeof noResponseReasons;

/** At least part of the request was sent, and no complete response arrived. */
export class NoResponseError extends ExchangeError {
  readonly kind = "noAnswer";
  readonly provesNothingHappened = false;
  readonly reason: NoResponseReason;

  constructor(endpoint: Endpoint, reason: NoResponseReason, detail: string, cause?: unknown) {
    super(endpoint, `${endpoint}: no response (${reason}): ${detail}`, { cause });
    this.reason = reason;
  }
}

/** The exchange reported an error (api.md 7), or HTTP 429. */
export class RefusedError extends ExchangeError {
  readonly kind = "refused";
  /**
   * The envelope's `error`, the text code of newer generations, or 429 for a rate limit indicated by the HTTP status alone.
   */
  readonly code: number | string;
  readonly httpStatus: number;
  /** The exchange's own text, redacted and cut to 200 characters. Untrusted: escape before display. */
  readonly serviceMessage: string | undefined;
  /** English, from the table of codes; undefined for undocumented codes. */
  readonly meaning: string | undefined;
  readonly remedy: string | undefined;
  readonly about: Concern | undefined;
  /** The response also reports success, or has a duplicate key: it proves nothing. */
  readonly contradictsItself: boolean;

  constructor(
    endpoint: Endpoint,
    response: {
      code: number | string;
      httpStatus: number;
      serviceMessage?: string | undefined;
      contradictsItself?: boolean;
    } & ErrorOptions,
  ) {
    const known = knownCode(response.code, response.httpStatus);
    super(
      endpoint,
      `${endpoint}: refused with error ${response.code}: ${known?.meaning ?? response.serviceMessage ?? "undocumented code"}`,
      response,
    );
    this.code = response.code;
    this.httpStatus = response.httpStatus;
    this.serviceMessage = response.serviceMessage;
    this.meaning = known?.meaning;
    this.remedy = known?.remedy;
    this.about = known?.about;
    this.contradictsItself = response.contradictsItself ?? false;
  }

  get isRateLimit(): boolean {
    const isLimited = this.retryAt !== undefined && this.httpStatus !== UNAVAILABLE;
    return isLimited || this.code === 30 || isHttpRateLimit(this.code, this.httpStatus);
  }

  get provesNothingHappened(): boolean {
    const known = knownCode(this.code, this.httpStatus);
    return !this.contradictsItself && (known?.provesRefusal ?? false);
  }
}

/** HTTP 503 may ask for a pause, but not because of too many requests. */
const UNAVAILABLE = 503;

/** An HTTP status 429 is a rate limit. The same number in an envelope is an undocumented code. */
function isHttpRateLimit(code: number | string, httpStatus: number): boolean {
  return code === 429 && httpStatus === 429;
}

function knownCode(code: number | string, httpStatus: number): ServiceCode | undefined {
  return isHttpRateLimit(code, httpStatus) ? tooManyRequests : serviceCode(code);
}

/** Why a response cannot be interpreted, in plain English for the journal. */
export const unreadableReasons = {
  httpStatus: "the response was an error page",
  challenge: "the response was a page that checks for a browser",
  maintenance: "the response was a maintenance page",
  rateLimit: "the exchange limited requests",
  notJson: "the response was not JSON",
  shape: "the response had an unknown format",
  contradictory: "the response contradicted itself",
  symbolOrder: "the symbols have another order than in the settings",
  tooLarge: "the response was too large",
  redirect: "the exchange redirected to another address",
};
export type UnreadableReason = keyof typeof unreadableReasons;

/**
 * A response arrived that does not reveal the outcome. This holds for every HTTP status: a 403 or 404 may come from a
 * gateway that already forwarded the request, so an order with such a response is unknown.
 */
export class UnreadableResponseError extends ExchangeError {
  readonly kind = "unreadable";
  readonly provesNothingHappened = false;
  readonly reason: UnreadableReason;
  readonly httpStatus: number;
  /** Where a redirect leads: another host, or another path of the same one. Untrusted: escape before display. */
  readonly redirectsTo: string | undefined;
  /** Text of a JSON error page, redacted and cut to 200 characters. Untrusted: escape before display. */
  readonly serviceMessage: string | undefined;

  constructor(
    endpoint: Endpoint,
    reason: UnreadableReason,
    httpStatus: number,
    detail: string,
    options: ErrorOptions & {
      readonly serviceMessage?: string | undefined;
      readonly redirectsTo?: string | undefined;
    } = {},
  ) {
    super(endpoint, `${endpoint}: unreadable response (${reason}, HTTP ${httpStatus}): ${detail}`, options);
    this.reason = reason;
    this.httpStatus = httpStatus;
    this.serviceMessage = options.serviceMessage;
    this.redirectsTo = options.redirectsTo;
  }
}

/** The error for a response with HTTP `status` that is JSON, but has none of the shapes known for the endpoint. */
export function unknownShape(endpoint: Endpoint, status: number): UnreadableResponseError {
  return new UnreadableResponseError(endpoint, "shape", status, "JSON, but none of the known shapes");
}

/** The error of an endpoint whose request failed in the transport. Returns any other error unchanged. */
export function endpointError(endpoint: Endpoint, error: unknown): unknown {
  if (!(error instanceof TransportError)) return error;
  const { failure, detail } = error;
  switch (failure.kind) {
    case "notSent":
      return new NotSentError(endpoint, failure.reason, detail);
    case "noAnswer":
      return new NoResponseError(endpoint, failure.reason, detail);
    case "unreadable":
      return new UnreadableResponseError(endpoint, failure.reason, failure.status, detail, {
        redirectsTo: failure.reason === "redirect" ? failure.to : undefined,
      });
  }
}

/** When the exchange accepts the next request, ms since the epoch; undefined without a rate limit. */
export function retryTime(error: unknown): number | undefined {
  return error instanceof ExchangeError ? error.retryAt : undefined;
}

/** Text of a failure for the log. Errors of other classes are not quoted, because their text could contain anything. */
export function messageOf(error: unknown): string {
  return error instanceof ExchangeError ? error.message : "unexpected error";
}
