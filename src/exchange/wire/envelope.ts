import { repeatedKeys } from "./repeatedKeys.ts";
import { factsOf, type Endpoint, type Generation } from "../endpoints.ts";
import { RefusedError, UnreadableResponseError, type UnreadableReason } from "../errors.ts";
import type { HttpResponse } from "../../http/transport.ts";
import { askedWaitMs, BANNED, rateLimitEnd, readHttpDate, UNAVAILABLE, type Clocks } from "../rateLimits.ts";
import { redact } from "../../http/redact.ts";
import { hasCodeForm, serviceCode } from "../serviceCodes.ts";
import { isRecord, NumberText, parseExact } from "./exactJson.ts";
import { withoutBareNumbers } from "./bareNumbers.ts";
import { isBareOrder, orderIdOf } from "./orderId.ts";
import type { Payload } from "./payload.ts";

export interface ResponseContext {
  readonly endpoint: Endpoint;
  /** The requested path, for errors. */
  readonly path?: string;
  /**
   * The generation given by the profile; detected from the response if undefined. C: any `code` belongs to the envelope.
   */
  readonly generation?: Generation | undefined;
  /** Local clock, ms since the epoch. */
  readonly now: number;
  /** The exchange's measured clock; undefined without a valid measurement. */
  readonly serverNow: number | undefined;
}

/** Code for UDF history errors, which have only a message. */
const HISTORY_ERROR = "UDF";
const ENVELOPE_KEYS: ReadonlySet<unknown> = new Set(["error", "code", "result", "data"]);
/** Whether a request changes the account, so that its response must prove the outcome. */
const needsProof = (endpoint: Endpoint): boolean => factsOf(endpoint).effect !== undefined;

/**
 * Unwraps a response. Throws RefusedError for an error reported by the exchange, with any HTTP status, and
 * UnreadableResponseError (httpStatus, notJson, shape, contradictory) for anything else that is not a success.
 */
export function readResponse(response: HttpResponse, context: ResponseContext): Payload {
  const { endpoint, path } = context;
  const { status } = response;
  const { json, repeats } = parse(response.body.toString(), context);
  const envelope = isRecord(json) ? json : {};
  const error = errorCode(envelope["error"]);
  const newCode = generationCode(envelope, status, context);
  const isSuccess = error === 0 || (error === undefined && newCode === SUCCESS);
  const newError = error === undefined && newCode !== SUCCESS ? newCode : undefined;

  const code =
    error ||
    // A documented code is more specific than HTTP 429: some codes prove nothing.
    (newError !== undefined && serviceCode(newError) && newError) ||
    (status === 429 && 429) ||
    newError ||
    (endpoint === "history" && envelope["s"] === "error" && HISTORY_ERROR);
  // Only requests that change the account need proof. Reads use the unambiguous parts and skip the rest.
  const contradictsItself =
    needsProof(endpoint) &&
    (repeats.length > 0 ||
      (Boolean(code) && (error === 0 || newCode === SUCCESS || holdsOrder(envelope))) ||
      (error === 0 && newCode !== undefined && newCode !== SUCCESS));
  const message = envelope["message"] ?? envelope["errmsg"];
  const serviceMessage = typeof message === "string" ? redact(message) || undefined : undefined;
  if (code) {
    const said = [code, message].join(" ");
    const isRateLimit = status === 429 || code === 30 || limitsRequests(status, said);
    throw new RefusedError(endpoint, {
      code,
      httpStatus: status,
      serviceMessage,
      path,
      retryAt: isRateLimit
        ? rateLimitEnd(response.retryAfter, clocks(response, context))
        : pauseEnd(response, context),
      limitsHost:
        status === BANNED || status === UNAVAILABLE || (json === undefined && isPage(response.body)),
      contradictsItself,
    });
  }
  const isError = status < 200 || status >= 300;
  const isRateLimit = limitsRequests(status, response.body.toString("utf8", 0, PAGE_BYTES));
  const retryAt = isRateLimit
    ? rateLimitEnd(response.retryAfter, clocks(response, context))
    : pauseEnd(response, context);
  const unreadable = (reason: UnreadableReason, detail: string): UnreadableResponseError =>
    // Without an error code, a front end of the exchange responded.
    new UnreadableResponseError(endpoint, reason, status, detail, {
      path,
      serviceMessage,
      retryAt,
      limitsHost: retryAt !== undefined,
    });
  if (isRateLimit) throw unreadable("rateLimit", "the host limits requests");
  if (json === undefined) {
    const [reason, detail] = pageOf(response.body, isError);
    throw unreadable(isError && reason === "notJson" ? "httpStatus" : reason, detail);
  }
  if (isError) throw unreadable("httpStatus", "an error page that is not from the API");
  if (contradictsItself || repeats.some(([key, ...rest]) => rest.length === 0 && ENVELOPE_KEYS.has(key)))
    throw unreadable("contradictory", "the response contradicts itself");
  if (!isSuccess && envelope["error"]) throw unreadable("shape", "its error is neither a number nor text");
  const field = error === 0 ? "result" : "data";
  const paths = isSuccess ? repeats.filter(([key]) => key === field).map(([, ...rest]) => rest) : repeats;
  return {
    content: isSuccess ? envelope[field] : json,
    enveloped: isSuccess,
    status,
    ...(paths.length > 0 && { repeated: new Set(paths.map(([key]) => String(key))) }),
    ...(isSuccess && isRecord(envelope["pagination"]) && { pagination: envelope["pagination"] }),
  };
}

const FORBIDDEN = 403;
const LIMIT_TEXT = /rate[ _-]?limit|too[ _-]many[ _-]requests/i;

/** Whether a response other than HTTP 429 or error 30 limits requests. */
function limitsRequests(status: number, text: string): boolean {
  return status === BANNED || (status === FORBIDDEN && LIMIT_TEXT.test(text) && !CHALLENGE.test(text));
}

/** When an unavailable exchange asks to be asked again, ms since the epoch on the local clock. */
function pauseEnd(response: HttpResponse, context: ResponseContext): number | undefined {
  if (response.status !== UNAVAILABLE) return undefined;
  const { now, serverNow } = clocks(response, context);
  const ms = askedWaitMs(response.retryAfter, serverNow);
  return ms === undefined || ms === 0 ? undefined : now + ms;
}

/** Whether an error response also contains an accepted order. */
function holdsOrder(envelope: Record<string, unknown>): boolean {
  const { result, data } = envelope;
  return [result, data].some((inner) => orderIdOf(inner) !== undefined) || isBareOrder(envelope);
}

interface Parsed {
  /**
   * Undefined if the text is not JSON. The parser's error is dropped, because it quotes the response, which may echo our
   * headers.
   */
  readonly json: unknown;
  readonly repeats: ReturnType<typeof repeatedKeys>;
}

function clocks({ date }: HttpResponse, { now, serverNow = now }: ResponseContext): Clocks {
  return { now, serverNow: readHttpDate(date) ?? serverNow };
}

function parse(body: string, { endpoint }: ResponseContext): Parsed {
  const { hasPlainNumbers } = factsOf(endpoint);
  const whole = body.startsWith("\ufeff") ? body.slice(1) : body;
  const text = needsProof(endpoint) ? whole : withoutBareNumbers(whole);
  try {
    // No money depends on these, and JSON.parse takes the last value.
    if (hasPlainNumbers) return { json: JSON.parse(text), repeats: [] };
    return { json: parseExact(text), repeats: repeatedKeys(text) };
  } catch {
    return { json: undefined, repeats: [] };
  }
}

/**
 * The envelope's `error`; undefined if missing or unreadable. Only plain digits are matched to the table. Text and other
 * number forms (`1e-400` is not 0) are undocumented errors.
 */
function errorCode(error: unknown): number | string | undefined {
  const text = codeText(error);
  if (text === undefined) return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : shownCode(text);
}

/** The success code of the newest generation, as text or number. */
const SUCCESS = "0";

/**
 * The code of the newest generation, `{"code":"0","message":"success","data":…}`. A numeric code is kept as text, because
 * it does not belong to the table of codes. Without message and data, `code` counts only if the HTTP status is an error,
 * the endpoint is known to be of that generation, or a read has nothing else.
 */
function generationCode(
  envelope: Record<string, unknown>,
  status: number,
  { endpoint, generation }: ResponseContext,
): string | undefined {
  const text = codeText(envelope["code"]);
  const isEnvelope =
    generation === "C" ||
    typeof envelope["message"] === "string" ||
    Object.hasOwn(envelope, "data") ||
    (Object.keys(envelope).length === 1 && !needsProof(endpoint));
  return text === undefined || !(isEnvelope || status >= 400) ? undefined : shownCode(text);
}

function shownCode(text: string): string {
  return hasCodeForm(text) ? text : redact(text);
}

function codeText(code: unknown): string | undefined {
  if (code instanceof NumberText) return code.source;
  return typeof code === "string" || typeof code === "number" ? String(code) : undefined;
}

/** How much of an HTML page is examined, in bytes. */
const PAGE_BYTES = 16 * 1024;
const CHALLENGE =
  /captcha|challenge|checking your browser|just a moment|verify(?:ing)? (?:that )?you are (?:a )?human|enable javascript/i;
const MAINTENANCE = /maintenance|under construction|scheduled downtime|be (?:right )?back (?:soon|shortly)/i;

function isPage(body: Buffer): boolean {
  return /^\ufeff?\s*</.test(body.toString("utf8", 0, 100));
}

/**
 * Classifies a response that is not JSON, with a description for the log: a browser challenge, a maintenance page, or
 * neither. For a page without an error status only title and headings count: an exchange's website may mention these things
 * anywhere.
 */
function pageOf(body: Buffer, isError: boolean): ["challenge" | "maintenance" | "notJson", string] {
  if (body.length === 0) return ["notJson", "the response is empty"];
  const whole = body.toString("utf8", 0, PAGE_BYTES);
  if (!isPage(body)) return ["notJson", "the response is not JSON"];
  const text = isError ? whole : (whole.match(/<(?:title|h1)[^>]{0,99}>[^<]{0,199}/gi)?.join(" ") ?? "");
  if (CHALLENGE.test(text)) return ["challenge", "a web page that checks for a browser"];
  if (MAINTENANCE.test(text)) return ["maintenance", "a web page about maintenance"];
  return ["notJson", "the response is a web page"];
}
