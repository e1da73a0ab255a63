import { RefusedError, UnreadableAnswerError, type Endpoint } from "./errors.ts";
import { blockEnd, readHttpDate } from "./rateBlock.ts";
import { redact } from "./redact.ts";
import type { HttpAnswer } from "./transport.ts";
import { isRecord, NumberText, parseExact } from "./json.ts";

/** What a service answered, once it is known not to be an error. */
export interface Payload {
  /** The envelope's `result` (spec 2.1), or the whole answer where there is no envelope. */
  readonly content: unknown;
  /** Whether an envelope said `error` 0. */
  readonly enveloped: boolean;
  readonly status: number;
}

export interface AnswerContext {
  readonly endpoint: Endpoint;
  /** How numbers are read: as `NumberText`, or as plain numbers where speed counts and money is not at stake. */
  readonly numbers: "exact" | "plain";
  /** Local clock, ms since the epoch. */
  readonly now: number;
  /** The service's clock as measured; undefined where nothing measured holds. */
  readonly serverNow: number | undefined;
}

/** Code of an error in the UDF format of histories, which has a message only. */
const HISTORY_ERROR = "UDF";

/**
 * Takes an answer out of its envelope. Throws RefusedError for an error of the service's own, whatever the HTTP status, and
 * UnreadableAnswerError (httpStatus, notJson) for anything else that is no success.
 */
export function readAnswer(answer: HttpAnswer, context: AnswerContext): Payload {
  const { endpoint, now } = context;
  const serverNow = readHttpDate(answer.date) ?? context.serverNow ?? now;
  const { status } = answer;
  const json = parse(answer.body.toString(), context.numbers);
  const envelope = isRecord(json) ? json : {};
  const error = errorCode(envelope["error"]);

  const code =
    error ||
    (status === 429 && 429) ||
    (status >= 400 && generationCode(envelope["code"])) ||
    (endpoint === "history" && envelope["s"] === "error" && HISTORY_ERROR);
  if (code) {
    const message = envelope["message"] ?? envelope["errmsg"];
    const blocked = status === 429 || code === 30;
    throw new RefusedError(endpoint, {
      code,
      httpStatus: status,
      serviceMessage: typeof message === "string" ? redact(message) || undefined : undefined,
      retryAt: blocked ? blockEnd(answer.retryAfter, { now, serverNow }) : undefined,
    });
  }
  if (status < 200 || status >= 300) {
    throw new UnreadableAnswerError(endpoint, "httpStatus", status, "no answer of the service's own in it");
  }
  if (json === undefined) {
    throw new UnreadableAnswerError(endpoint, "notJson", status, looksLike(answer.body));
  }
  if (error === 0) return { content: envelope["result"], enveloped: true, status };
  if (envelope["error"]) {
    throw new UnreadableAnswerError(endpoint, "shape", status, "its error is neither a number nor text");
  }
  return { content: json, enveloped: false, status };
}

/** Undefined when it is not JSON. The parser's error is dropped: it quotes the answer, which may echo our headers. */
function parse(text: string, numbers: "exact" | "plain"): unknown {
  const json = text.startsWith("\ufeff") ? text.slice(1) : text;
  try {
    return numbers === "exact" ? parseExact(json) : JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * Envelope's `error`; undefined where there is none, or none that can be read. Only plain digits are a number of the table:
 * text, and numbers written in any other way (`1e-400` is not 0), are errors of their own, never documented.
 */
function errorCode(error: unknown): number | string | undefined {
  const text = codeText(error);
  if (text === undefined) return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : shownCode(text);
}

/** Newer generations answer HTTP 4xx with a code of their own. A numeric one is not of the table of codes: kept as text. */
function generationCode(code: unknown): string | undefined {
  const text = codeText(code);
  return text === undefined ? undefined : shownCode(text);
}

/** Codes of services seen so far, too short for a key: `V1007-CW`, `A1000`, `-18`. */
const SHORT_CODE = /^-?[A-Z]{0,3}\d{1,6}(?:-[A-Z]{1,4})?$/i;

function shownCode(text: string): string {
  return SHORT_CODE.test(text) ? text : redact(text);
}

function codeText(code: unknown): string | undefined {
  if (code instanceof NumberText) return code.source;
  return typeof code === "string" || typeof code === "number" ? String(code) : undefined;
}

function looksLike(body: Buffer): string {
  if (body.length === 0) return "the answer is empty";
  return /^\s*</.test(body.toString("utf8", 0, 100)) ? "the answer is a web page" : "the answer is not JSON";
}
