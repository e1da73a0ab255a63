import { serviceCode, tooManyRequests, type ServiceCode } from "./serviceCodes.ts";

export type Endpoint = "serverTime" | "tickers" | "wallet" | "placeBid" | "history";

/**
 * Anything that went wrong between Bidside and a service. By cause, because each cause means something else for
 * the trader's money. Messages hold what the service said and what the network said, never a key, secret or signature.
 */
export abstract class ExchangeError extends Error {
  abstract readonly kind: "notSent" | "noAnswer" | "refused" | "unreadable";
  readonly endpoint: Endpoint;

  constructor(endpoint: Endpoint, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.endpoint = endpoint;
  }

  /** True where it is proven that the service did not act on the request. A bid without this proof is unknown. */
  abstract get provesNothingHappened(): boolean;
}

export type NotSentReason =
  | "unreachable" /** no connection: refused, no route, no DNS answer, or not within the time limit */
  | "certificate" /** TLS refused the server's certificate */
  | "insecure" /** plain http to another machine */
  | "noCredentials" /** none are stored */
  | "credentialsUnreadable" /** what stores them failed, was too slow, or holds no pair */
  | "badCredentials" /** a key or secret that cannot be put in a header */
  | "clockUnknown" /** server time could not be measured, so nothing can be signed */
  | "blocked" /** the service's rate block is still running */
  | "tooLate"; /** what it was decided on no longer held when it could have left */

/** No byte of the request left this machine. */
export class NotSentError extends ExchangeError {
  readonly kind = "notSent";
  readonly reason: NotSentReason;
  /** For `blocked`: when the next request may go, ms since the epoch on the local clock. */
  readonly retryAt: number | undefined;

  constructor(
    endpoint: Endpoint,
    reason: NotSentReason,
    detail: string,
    options: { cause?: unknown; retryAt?: number } = {},
  ) {
    super(endpoint, `${endpoint}: not sent (${reason}): ${detail}`, options.cause);
    this.reason = reason;
    this.retryAt = options.retryAt;
  }

  get provesNothingHappened(): boolean {
    return true;
  }
}

/** The request left, at least in part, and no complete answer came back. */
export class NoAnswerError extends ExchangeError {
  readonly kind = "noAnswer";
  readonly reason: "timeout" | "connectionLost";

  constructor(endpoint: Endpoint, reason: "timeout" | "connectionLost", detail: string, cause?: unknown) {
    super(endpoint, `${endpoint}: no answer (${reason}): ${detail}`, cause);
    this.reason = reason;
  }

  get provesNothingHappened(): boolean {
    return false;
  }
}

/** The service answered with an error of its own (spec section 7), or with HTTP 429. */
export class RefusedError extends ExchangeError {
  readonly kind = "refused";
  /** The envelope's `error`, the text code of newer generations, or 429 for a rate block that HTTP alone tells of. */
  readonly code: number | string;
  readonly httpStatus: number;
  /** What the service itself said, cut to a line of 200 characters; foreign text, to be shown escaped. */
  readonly serviceMessage: string | undefined;
  /** English, from the table of codes; undefined for a code nobody documented. */
  readonly meaning: string | undefined;
  readonly remedy: string | undefined;
  /** For a rate block: when the next request may go, ms since the epoch on the local clock. */
  readonly retryAt: number | undefined;
  /** The same answer says or shows that the request succeeded, or has a key twice: nothing in it is a proof. */
  readonly contradictsItself: boolean;

  constructor(
    endpoint: Endpoint,
    answer: {
      code: number | string;
      httpStatus: number;
      serviceMessage?: string | undefined;
      retryAt?: number | undefined;
      contradictsItself?: boolean;
    },
  ) {
    const known = knownCode(answer.code, answer.httpStatus);
    super(
      endpoint,
      `${endpoint}: refused with error ${answer.code}: ${known?.meaning ?? answer.serviceMessage ?? "undocumented code"}`,
    );
    this.code = answer.code;
    this.httpStatus = answer.httpStatus;
    this.serviceMessage = answer.serviceMessage;
    this.meaning = known?.meaning;
    this.remedy = known?.remedy;
    this.retryAt = answer.retryAt;
    this.contradictsItself = answer.contradictsItself ?? false;
  }

  get isRateBlock(): boolean {
    return this.code === 30 || isHttpBlock(this.code, this.httpStatus);
  }

  get provesNothingHappened(): boolean {
    const known = knownCode(this.code, this.httpStatus);
    return !this.contradictsItself && (known?.provesRefusal ?? false);
  }
}

/** HTTP 429 is a rate block. The same number in an envelope is a code that nobody documented. */
function isHttpBlock(code: number | string, httpStatus: number): boolean {
  return code === 429 && httpStatus === 429;
}

function knownCode(code: number | string, httpStatus: number): ServiceCode | undefined {
  return isHttpBlock(code, httpStatus) ? tooManyRequests : serviceCode(code);
}

export type UnreadableReason =
  | "httpStatus" /** an error page of a proxy or web server, with no envelope in it */
  | "notJson"
  | "shape" /** JSON, but none of the known shapes */
  | "contradictory" /** JSON that says two things at once */
  | "tooLarge"
  | "redirect";

/** An answer came that does not say what happened. */
export class UnreadableAnswerError extends ExchangeError {
  readonly kind = "unreadable";
  readonly reason: UnreadableReason;
  readonly httpStatus: number;

  constructor(
    endpoint: Endpoint,
    reason: UnreadableReason,
    httpStatus: number,
    detail: string,
    cause?: unknown,
  ) {
    super(endpoint, `${endpoint}: unreadable answer (${reason}, HTTP ${httpStatus}): ${detail}`, cause);
    this.reason = reason;
    this.httpStatus = httpStatus;
  }

  get provesNothingHappened(): boolean {
    return false;
  }
}

/** What the log says of a failure: nothing of one that is none of these, because nobody knows what its text holds. */
export function messageOf(error: unknown): string {
  return error instanceof ExchangeError ? error.message : "unexpected error";
}
