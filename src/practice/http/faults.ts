import type { Endpoint } from "./routes.ts";

/** Whether the fault happens before the request has any effect, or after it has its full effect. */
type When = "before" | "after";

/** A fault of one request. */
export type Fault =
  | { readonly kind: "delay"; readonly when: When; readonly ms: number }
  | { readonly kind: "reset"; readonly when: When }
  /** The page of a proxy instead of the answer. */
  | { readonly kind: "html"; readonly when: When; readonly status: number }
  /** HTTP 429; with `seconds`, the answer's Retry-After asks for that long a pause. */
  | { readonly kind: "rateLimited"; readonly when: When; readonly seconds?: number }
  | { readonly kind: "code"; readonly when: When; readonly code: number }
  /** The first half of the answer, as if it were complete. */
  | { readonly kind: "cutJson" };

export interface FaultPlan {
  readonly clockSkewMs?: number;
  readonly next?: Readonly<Partial<Record<Endpoint, readonly Fault[]>>>;
}

/** An answer as it is sent: HTTP status and body. */
export interface Answer {
  readonly status: number;
  readonly type: "json" | "html";
  readonly text: string;
  /** The header Retry-After, in seconds. */
  readonly retryAfter?: number | undefined;
  /** The header Allow: the methods of a path. */
  readonly allow?: string;
}

/** Makes the exchange fail, for tests: each fault affects one request of its endpoint, in the given order. */
export class Faults {
  /** Added to the exchange's clock, for server time and signatures. */
  clockSkewMs: number;
  readonly #queues = new Map<Endpoint, Fault[]>();

  constructor(plan: FaultPlan = {}) {
    this.clockSkewMs = plan.clockSkewMs ?? 0;
    for (const [endpoint, faults] of Object.entries(plan.next ?? {})) {
      this.#queues.set(endpoint as Endpoint, [...faults]);
    }
  }

  /** Plans a fault for the endpoint's next request without one. */
  next(endpoint: Endpoint, fault: Fault): void {
    const queue = this.#queues.get(endpoint);
    if (queue) queue.push(fault);
    else this.#queues.set(endpoint, [fault]);
  }

  /** Takes the fault of the request that has just arrived. */
  take(endpoint: Endpoint): Fault | undefined {
    return this.#queues.get(endpoint)?.shift();
  }
}

const PAGE =
  "<!doctype html><html><head><title>Service unavailable</title></head><body><h1>Service unavailable</h1></body></html>";

/**
 * The client's answer instead of `answer` (undefined before the request had an effect); "reset" means no answer at
 * all.
 */
export function faultyAnswer(
  fault: Exclude<Fault, { kind: "delay" }>,
  answer: Answer | undefined,
): Answer | "reset" {
  switch (fault.kind) {
    case "reset":
      return "reset";
    case "html":
      return { status: fault.status, type: "html", text: PAGE };
    case "rateLimited":
      return {
        status: 429,
        type: "json",
        text: '{"error":30,"message":"Too many requests."}',
        retryAfter: fault.seconds,
      };
    case "code":
      return { status: 200, type: "json", text: `{"error":${fault.code}}` };
    case "cutJson": {
      const text = answer?.text ?? "";
      return { status: 200, type: "json", text: text.slice(0, Math.ceil(text.length / 2)) };
    }
  }
}
