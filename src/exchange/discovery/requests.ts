import type { EndpointCall } from "../call.ts";
import { maxBytesOf } from "../endpoints.ts";
import { endpointError, type ExchangeError, NotSentError, retryTime } from "../errors.ts";
import type { HttpResponse, Transport } from "../../http/transport.ts";
import { readResponse } from "../wire/envelope.ts";
import type { Payload } from "../wire/payload.ts";

/** A response without its envelope. `text`: the beginning of the raw body, also for a refusal. */
export type DiscoveryResponse =
  | { readonly ok: true; readonly payload: Payload; readonly text: string }
  | { readonly ok: false; readonly error: unknown; readonly text: string };

interface RequestsOptions {
  readonly transport: Transport;
  /** Local clock, ms since the epoch. */
  readonly now: () => number;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the signature headers; without it, requests are unsigned. */
  readonly sign?: (call: EndpointCall) => Promise<Record<string, string>>;
  /** Maximum number of requests. */
  readonly maxRequests: number;
  /** Checked before each request. False ends the discovery. */
  readonly mayContinue?: () => boolean;
}

const MAX_CONCURRENT = 4;
/** In bytes. */
const MAX_TEXT = 2000;

/**
 * Sends the requests of one discovery: a limited number, four at a time, and none after a rate limit or once the exchange
 * is unreachable.
 */
export class DiscoveryRequests {
  readonly #options: RequestsOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #sentCount = 0;
  #stopReason: ExchangeError | undefined;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /** The rate limit or network failure that ended the discovery; undefined if none did. */
  get stopReason(): ExchangeError | undefined {
    return this.#stopReason;
  }

  /** Never rejects. */
  async send(call: EndpointCall): Promise<DiscoveryResponse> {
    if (this.#running >= MAX_CONCURRENT) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await this.#sendNow(call);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #sendNow(call: EndpointCall): Promise<DiscoveryResponse> {
    const { label: endpoint, generation } = call;
    const { transport, now, headers, sign, maxRequests, mayContinue } = this.#options;
    if (this.#stopReason) return { ok: false, error: this.#stopReason, text: "" };
    if (this.#sentCount >= maxRequests || mayContinue?.() === false) {
      const error = new NotSentError(endpoint, "tooLate", "the discovery has ended");
      return { ok: false, error, text: "" };
    }
    this.#sentCount += 1;
    let text = "";
    try {
      const signature = sign ? await sign(call) : {};
      const response: HttpResponse = await transport({
        ...call,
        headers: { ...headers, ...signature },
        maxBytes: maxBytesOf(endpoint),
      });
      text = response.body.toString("utf8", 0, MAX_TEXT);
      const payload = readResponse(response, {
        endpoint,
        generation,
        now: now(),
        serverNow: undefined,
      });
      return { ok: true, payload, text };
    } catch (cause) {
      const error = endpointError(endpoint, cause);
      if (endsDiscovery(error)) this.#stopReason = error;
      return { ok: false, error, text };
    }
  }
}

/** Whether every further request would fail in the same way or prolong a rate limit. */
function endsDiscovery(error: unknown): error is ExchangeError {
  if (retryTime(error) !== undefined) return true;
  return error instanceof NotSentError && error.reason !== "tooLate";
}
