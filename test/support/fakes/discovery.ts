import type { DiscoveryPorts } from "../../../src/exchange/discovery/discovery.ts";
import { TransportError } from "../../../src/http/errors.ts";
import { afterTime } from "../../../src/http/after.ts";
import type { HttpRequest } from "../../../src/http/transport.ts";

const offline: Omit<DiscoveryPorts, "transport"> = {
  openSocket: (_url, events) => {
    queueMicrotask(() => events.ended({ reason: "lost", detail: "no network" }));
    return { send: () => undefined, ping: () => undefined, close: () => undefined };
  },
  after: afterTime,
  now: Date.now,
  headers: {},
};

/** A discovery on a computer without a network. `asked` collects each request. */
export function withoutNetwork(asked: (request: HttpRequest) => void): DiscoveryPorts {
  return {
    ...offline,
    transport: (request) => {
      asked(request);
      const failure = { kind: "notSent", reason: "unreachable" } as const;
      return Promise.reject(new TransportError(request.label, failure, "no network"));
    },
  };
}

/** A discovery of an exchange that offers only prices. */
export const withTickersOnly: DiscoveryPorts = {
  ...offline,
  transport: ({ label }) => {
    const isTickers = label === "tickers";
    const body = isTickers ? '{"THB_BTC":{"last":1},"THB_ETH":{"last":1}}' : '{"error":404}';
    return Promise.resolve({
      status: isTickers ? 200 : 404,
      retryAfter: undefined,
      body: Buffer.from(body),
    });
  },
};
