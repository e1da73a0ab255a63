import type { ClientOptions } from "../../../src/exchange/client.ts";
import { TransportError } from "../../../src/http/errors.ts";
import { createTransport, type HttpResponse, type HttpRequest } from "../../../src/http/transport.ts";
import { FakeTimers, settle } from "../fakes/timers.ts";

/** One attempt to send a request. */
export interface Attempt {
  readonly request: HttpRequest;
  /** On the clock of the sending computer. */
  readonly at: number;
}

/** Real HTTP between a desk on fake timers and a server. A test can disconnect it, and wait until it is idle. */
export class DrivenNetwork {
  isUp = true;
  /** The result of every attempt while the network is down: a rejection. */
  whenDown: (request: HttpRequest) => Promise<never> = async ({ label }) => {
    throw new TransportError(label, { kind: "notSent", reason: "unreachable" }, "connect ENETUNREACH");
  };
  readonly attempts: Attempt[] = [];
  readonly #now: () => number;
  readonly #send = createTransport();
  #busy = 0;
  #isRetrying = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A client transport over this network. Reads are retried as often as in the product, but immediately. */
  get client(): Pick<ClientOptions, "transport" | "readWaitsMs" | "log"> {
    const debug = (text: string): void => void (this.#isRetrying ||= text.includes("trying again"));
    return {
      transport: (request) => this.#carry(request),
      readWaitsMs: [0, 0],
      log: { debug, warn: () => undefined },
    };
  }

  /** Resolves when all responses have arrived and been handled. */
  readonly quiet = async (): Promise<void> => {
    await settle();
    while (this.#busy > 0 || this.#isRetrying) {
      const isRetrying = this.#isRetrying;
      this.#isRetrying = false;
      // After the timer of a retry: timers of equal duration run in the order they were set.
      if (isRetrying) await new Promise((resolve) => setTimeout(resolve, 0));
      await settle();
    }
  };

  async #carry(request: HttpRequest): Promise<HttpResponse> {
    this.attempts.push({ request, at: this.#now() });
    if (!this.isUp) return await this.whenDown(request);
    this.#busy += 1;
    try {
      return await this.#send(request);
    } finally {
      this.#busy -= 1;
    }
  }
}

/** Fake timers starting at `now`, which wait for all responses of the network before advancing. */
export function drivenTime(now?: number): { readonly timers: FakeTimers; readonly network: DrivenNetwork } {
  const timers = new FakeTimers(now, () => network.quiet());
  const network = new DrivenNetwork(timers.now);
  return { timers, network };
}
