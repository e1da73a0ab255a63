import type { PracticeEndpoint } from "./routes.ts";

/** Whether the fault occurs before the request has any effect, or after its full effect. */
type When = "before" | "after";

/** A fault injected into one request. */
export type Fault =
  | { readonly kind: "delay"; readonly when: When; readonly ms: number }
  | { readonly kind: "reset"; readonly when: When }
  /** An HTML page of a proxy. */
  | { readonly kind: "html"; readonly when: When; readonly status: number }
  /** HTTP 429, with Retry-After if `seconds` is given. */
  | { readonly kind: "rateLimited"; readonly when: When; readonly seconds?: number }
  | { readonly kind: "code"; readonly when: When; readonly code: number }
  /** The first half of the body, as if it were complete. */
  | { readonly kind: "cutJson" };

export interface FaultPlan {
  readonly clockSkewMs?: number;
  readonly next?: Readonly<Partial<Record<PracticeEndpoint, readonly Fault[]>>>;
}

export interface PracticeResponse {
  readonly status: number;
  readonly type: "json" | "html";
  readonly text: string;
  /** Retry-After header, in seconds. */
  readonly retryAfter?: number | undefined;
  /** Allow header: the methods of a path. */
  readonly allow?: string;
}

/** Fault injection for tests: each fault affects one request of its endpoint, in order. */
export class Faults {
  /** Added to the exchange's clock, for server time and signatures. */
  clockSkewMs: number;
  readonly #queues = new Map<PracticeEndpoint, Fault[]>();

  constructor(plan: FaultPlan = {}) {
    this.clockSkewMs = plan.clockSkewMs ?? 0;
    for (const [endpoint, faults] of Object.entries(plan.next ?? {})) {
      this.#queues.set(endpoint as PracticeEndpoint, [...faults]);
    }
  }

  /** Queues a fault for the endpoint. */
  next(endpoint: PracticeEndpoint, fault: Fault): void {
    const queue = this.#queues.get(endpoint);
    if (queue) queue.push(fault);
    else this.#queues.set(endpoint, [fault]);
  }

  /** Dequeues the fault for a request that has arrived. */
  take(endpoint: PracticeEndpoint): Fault | undefined {
    return this.#queues.get(endpoint)?.shift();
  }
}

const PAGE =
  "<!doctype html><html><head><title>Service unavailable</title></head><body><h1>Service unavailable</h1></body></html>";

/** The response sent in place of `answer` (undefined if the request had no effect); "reset" means none at all. */
export function faultyAnswer(
  fault: Exclude<Fault, { kind: "delay" }>,
  answer: PracticeResponse | undefined,
): PracticeResponse | "reset" {
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
