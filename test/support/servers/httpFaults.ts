import { setTimeout as delay } from "node:timers/promises";
import type { PracticeEndpoint } from "../../../src/practice/http/routes.ts";

/** Whether the fault occurs before the request has reached the exchange, or after its full effect. */
type When = "before" | "after";

/** A fault injected into one request. */
export type HttpFault =
  | { readonly kind: "delay"; readonly when: When; readonly ms: number }
  | { readonly kind: "reset"; readonly when: When }
  /** An HTML page of a front end. */
  | { readonly kind: "html"; readonly when: When; readonly status: number }
  /** HTTP 429, with Retry-After if `seconds` is given. */
  | { readonly kind: "rateLimited"; readonly when: When; readonly seconds?: number }
  | { readonly kind: "code"; readonly when: When; readonly code: number }
  /** The first half of the body, as if it were complete. */
  | { readonly kind: "cutJson" };

/** A response to relay. */
export interface RelayedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Faults for requests: each affects one request of its endpoint, in order. */
export class HttpFaults {
  /** Added to the exchange's clock, for server time and signatures. */
  clockSkewMs = 0;
  readonly #queues = new Map<PracticeEndpoint, HttpFault[]>();

  /** Queues a fault for the endpoint. */
  next(endpoint: PracticeEndpoint, fault: HttpFault): void {
    const queue = this.#queues.get(endpoint);
    if (queue) queue.push(fault);
    else this.#queues.set(endpoint, [fault]);
  }

  /**
   * The response to a request that has arrived, with the endpoint's next fault; undefined resets the connection. `forward`
   * requests it from the exchange. Rejects if `stopped` aborts a delay.
   */
  async respond(
    endpoint: PracticeEndpoint,
    forward: () => Promise<RelayedResponse>,
    stopped: AbortSignal,
  ): Promise<RelayedResponse | undefined> {
    const fault = this.#queues.get(endpoint)?.shift();
    if (!fault) return await forward();
    const response = fault.kind === "cutJson" || fault.when === "after" ? await forward() : undefined;
    if (fault.kind !== "delay") return faulty(fault, response);
    await delay(fault.ms, undefined, { signal: stopped });
    return response ?? (await forward());
  }
}

const PAGE =
  "<!doctype html><html><head><title>Service unavailable</title></head><body><h1>Service unavailable</h1></body></html>";
const JSON_TYPE = { "Content-Type": "application/json; charset=utf-8" };

function faulty(
  fault: Exclude<HttpFault, { kind: "delay" }>,
  response: RelayedResponse | undefined,
): RelayedResponse | undefined {
  switch (fault.kind) {
    case "reset":
      return undefined;
    case "html":
      return { status: fault.status, headers: { "Content-Type": "text/html; charset=utf-8" }, text: PAGE };
    case "rateLimited": {
      const wait = fault.seconds === undefined ? {} : { "Retry-After": String(fault.seconds) };
      const text = '{"error":30,"message":"Too many requests."}';
      return { status: 429, headers: { ...JSON_TYPE, ...wait }, text };
    }
    case "code":
      return { status: 200, headers: JSON_TYPE, text: `{"error":${fault.code}}` };
    case "cutJson": {
      const { text = "" } = response ?? {};
      return { status: 200, headers: JSON_TYPE, text: text.slice(0, Math.ceil(text.length / 2)) };
    }
  }
}
