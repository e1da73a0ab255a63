import type { DiscoveryPorts } from "../../../src/exchange/discovery/discovery.ts";
import { TransportError } from "../../../src/http/errors.ts";
import { systemTimers } from "../../../src/time/timers.ts";
import type { HttpRequest } from "../../../src/http/transport.ts";

/** A discovery on a computer without a network. `asked` collects each request. */
export function withoutNetwork(asked: (request: HttpRequest) => void): DiscoveryPorts {
  return {
    openSocket: (_url, events) => {
      queueMicrotask(() => events.ended({ reason: "lost", detail: "no network" }));
      return { send: () => undefined, ping: () => undefined, close: () => undefined };
    },
    after: systemTimers.after,
    now: Date.now,
    headers: {},
    transport: (request) => {
      asked(request);
      const failure = { kind: "notSent", reason: "unreachable" } as const;
      return Promise.reject(new TransportError(request.label, failure, "no network"));
    },
  };
}
