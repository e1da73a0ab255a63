import type { Endpoint } from "../../market/endpoints.ts";
import { type ExchangeError, NotSentError, RefusedError } from "../errors.ts";
import type { Generation } from "../features.ts";
import type { HttpRequest, HttpResponse, Transport } from "../http/transport.ts";
import { readResponse, type Payload } from "../wire/envelope.ts";

/** One question of a discovery. */
export interface Question {
  readonly endpoint: Endpoint;
  readonly method: "GET" | "POST";
  readonly url: URL;
  /** The JSON of a POST; an empty body if missing. */
  readonly body?: string;
  readonly generation?: Generation | undefined;
}

/** The answer to a question, without its envelope. `text`: its beginning as it came, also of a refusal. */
export type Reply =
  | { readonly ok: true; readonly payload: Payload; readonly text: string }
  | { readonly ok: false; readonly error: unknown; readonly text: string };

interface RequestsOptions {
  readonly transport: Transport;
  /** Local clock, ms since the epoch. */
  readonly now: () => number;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The headers that prove who asks; without it nothing is signed. */
  readonly sign?: (request: Omit<HttpRequest, "headers" | "maxBytes">) => Promise<Record<string, string>>;
  /** How many requests may be sent in all. */
  readonly most: number;
  /** False ends the discovery: nothing more is sent. */
  readonly mayContinue?: () => boolean;
}

const AT_ONCE = 4;
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_TEXT = 2000;

/**
 * The requests of a discovery: bounded in number, four at a time, and none after a rate limit or after the exchange turned out
 * to be unreachable.
 */
export class DiscoveryRequests {
  readonly #options: RequestsOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #sent = 0;
  #stop: ExchangeError | undefined;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /** How many requests were sent. */
  get sent(): number {
    return this.#sent;
  }

  /** Why no more requests are sent; undefined while they are. */
  get stopped(): ExchangeError | undefined {
    return this.#stop;
  }

  /** Never rejects. */
  async ask(question: Question): Promise<Reply> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await this.#send(question);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #send({ endpoint, method, url, body, generation }: Question): Promise<Reply> {
    const { transport, now, headers, sign, most, mayContinue } = this.#options;
    if (this.#stop) return { ok: false, error: this.#stop, text: "" };
    if (this.#sent >= most || mayContinue?.() === false) {
      const error = new NotSentError(endpoint, "tooLate", "the discovery has ended");
      return { ok: false, error, text: "" };
    }
    this.#sent += 1;
    const request = {
      endpoint,
      method,
      url,
      ...(method === "POST" && { body: Buffer.from(body ?? "") }),
    };
    let text = "";
    try {
      const proof = sign ? await sign(request) : {};
      const answer: HttpResponse = await transport({
        ...request,
        headers: { ...headers, ...proof },
        maxBytes: MOST_BYTES,
      });
      text = answer.body.toString("utf8", 0, MOST_TEXT);
      const numbers = endpoint === "tickers" || endpoint === "history" ? "plain" : "exact";
      const payload = readResponse(answer, {
        endpoint,
        generation,
        numbers,
        now: now(),
        serverNow: undefined,
      });
      return { ok: true, payload, text };
    } catch (error) {
      if (endsDiscovery(error)) this.#stop = error;
      return { ok: false, error, text };
    }
  }
}

/** Whether every further request would end the same way, or would make a rate limit longer. */
function endsDiscovery(error: unknown): error is ExchangeError {
  if (error instanceof RefusedError) return error.isRateLimit;
  return error instanceof NotSentError && error.reason !== "tooLate";
}
