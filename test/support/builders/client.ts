import { createClient, type ClientOptions, type ExchangeClient } from "../../../src/exchange/client.ts";
import { createTransport, type Transport } from "../../../src/http/transport.ts";
import { noFeatures } from "../../../src/exchange/features.ts";
import type { ServiceProfile } from "../../../src/exchange/profile.ts";
import { specPaths } from "../../../src/exchange/paths.ts";
import type { SpecEndpoint } from "../../../src/exchange/endpoints.ts";
import { Secret, type Credentials } from "../../../src/exchange/signing/credentials.ts";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import type { LimitOrder } from "../../../src/market/order.ts";

export function pairOf(apiKey: string, apiSecret: string): Credentials {
  return { apiKey: new Secret(apiKey), apiSecret: new Secret(apiSecret) };
}

export const testCredentials = pairOf("test-key", "test-secret");

/** The four endpoints of the specification, with paths overridden where given. */
export function endpointsAt(paths: Partial<Record<SpecEndpoint, string>> = {}): ServiceProfile["endpoints"] {
  const form = { symbolOrder: "quoteFirst", symbolCase: "upper", envelope: undefined } as const;
  const at = { ...specPaths, ...paths };
  return {
    serverTime: { ...form, method: "GET", path: at.serverTime },
    tickers: { ...form, method: "GET", path: at.tickers },
    wallet: { ...form, method: "GET", path: at.wallet },
    placeBid: { ...form, method: "POST", path: at.placeBid },
  };
}

export function testProfile(baseUrl: string, changes: Partial<ServiceProfile> = {}): ServiceProfile {
  return {
    baseUrl: new URL(baseUrl),
    headerPrefix: "X-SVC-",
    endpoints: endpointsAt(),
    walletMethod: "auto",
    symbolOrder: "quoteFirst",
    historyPath: undefined,
    features: noFeatures,
    ...changes,
  };
}

const LOOK_MS = 5;

/** A transport whose time is over as soon as the server has the request. `received`: how many the server has. */
export function impatientTransport(received: () => number): Transport {
  return createTransport({
    after: (_, task) => {
      const before = received();
      const timer = setInterval(() => {
        if (received() === before) return;
        clearInterval(timer);
        task();
      }, LOOK_MS);
      return () => clearInterval(timer);
    },
  });
}

/** A client of a test server, which retries failed reads immediately. */
export function testClient(
  baseUrl: string,
  changes: Partial<ServiceProfile> = {},
  options: Partial<ClientOptions> & { timeoutMs?: number | undefined } = {},
): ExchangeClient {
  const { timeoutMs, ...rest } = options;
  return createClient({
    profile: testProfile(baseUrl, changes),
    credentials: () => Promise.resolve(testCredentials),
    now: Date.now,
    transport: createTransport(timeoutMs === undefined ? {} : { timeoutMs }),
    readWaitsMs: [0, 0],
    ...rest,
  });
}

/** The product's own client, which calls `answered` when the response to an accepted bid has arrived. */
export function watchedClient(options: ClientOptions, answered: () => void): ExchangeClient {
  const client = createClient(options);
  const placeBid = client.placeOrder.bind(client);
  client.placeOrder = async (...given) => {
    const receipt = await placeBid(...given);
    answered();
    return receipt;
  };
  return client;
}

/** A service that also offers asks, at the path of the oldest generation. */
export const asksOffered: ServiceProfile["features"] = {
  placeAsk: {
    method: "POST",
    path: "/api/market/place-ask",
    symbolOrder: "quoteFirst",
    symbolCase: "upper",
    envelope: "A",
  },
};

/** An ask of `amount` at `rate`, digits as typed. */
export function testAsk(amount = "0.5", rate = "15000.5", symbol = "THB_BTC"): LimitOrder {
  return { ...testBid(amount, rate, symbol), side: "sell" };
}

/** A bid of `amount` at `rate`, digits as typed. */
export function testBid(amount = "1000", rate = "15000.5", symbol = "THB_BTC"): LimitOrder {
  const nothing = new Decimal("0");
  return {
    side: "buy",
    symbol,
    pair: { quote: "THB", base: "BTC" },
    amount: new Decimal(amount),
    rate: new Decimal(rate),
    quantity: nothing,
    fee: nothing,
  };
}

/**
 * Requests the time from another service: a fault of the tested service then affects only bids and wallets, over
 * `transport`.
 */
export function timeFrom(clockUrl: string, transport = createTransport()): Transport {
  const clock = createTransport();
  return (request) => {
    if (request.label !== "serverTime") return transport(request);
    return clock({ ...request, url: new URL(specPaths.serverTime, clockUrl) });
  };
}
