import { STREAM_PATHS } from "../stream/address.ts";
import { offeredRoutes } from "./routes.ts";
import { HEADER_PREFIX, TIMESTAMP_WINDOW_MS } from "./signatureCheck.ts";
import { defaultSwitches, type Switches } from "./switches.ts";

/** A profile file of this exchange, as described in `docs/adding-an-exchange.md`. Contains no key. */
export interface PracticeProfile {
  readonly bidsideProfile: 1;
  readonly name: string;
  readonly baseUrl: string;
  readonly headerPrefix: string;
  readonly paths?: Readonly<Record<string, string>>;
  readonly walletMethod: "GET" | "POST";
  readonly symbolOrder: "quoteFirst" | "baseFirst";
  readonly historyPath: string;
  readonly features: Readonly<Record<string, unknown>>;
}

/** Histories of this family name pairs in the opposite order. */
const HISTORY_PATH = "/tradingview/history?symbol={base}_{quote}";

/** The profile of a practice exchange at this address, with all its capabilities. */
export function practiceProfile(
  baseUrl: string,
  switches: Readonly<Switches> = defaultSwitches,
): PracticeProfile {
  return switches.api === "current" ? currentProfile(baseUrl, switches) : specProfile(baseUrl, switches);
}

/** Symbols in requests are base first, in lower case. */
function capability(method: "GET" | "POST", path: string, envelope: "B" | "C" = "B"): unknown {
  return { method, path, symbolOrder: "baseFirst", symbolCase: "lower", envelope };
}

function currentProfile(baseUrl: string, { streams }: Readonly<Switches>): PracticeProfile {
  return {
    bidsideProfile: 1,
    name: "Practice, as services are today",
    baseUrl,
    headerPrefix: HEADER_PREFIX,
    paths: {
      serverTime: "/api/v3/servertime",
      tickers: "/api/v3/market/ticker",
      wallet: "/api/v3/market/wallet",
      placeBid: "/api/v3/market/place-bid",
    },
    walletMethod: "POST",
    symbolOrder: "baseFirst",
    historyPath: "/tradingview/history",
    features: {
      placeAsk: capability("POST", "/api/v3/market/place-ask"),
      cancelOrder: capability("POST", "/api/v3/market/cancel-order"),
      openOrders: capability("GET", "/api/v3/market/my-open-orders"),
      orderInfo: capability("GET", "/api/v3/market/order-info"),
      orderHistory: capability("GET", "/api/v3/market/my-order-history"),
      balances: capability("GET", "/api/v4/wallet/balances", "C"),
      symbols: capability("GET", "/api/v3/market/symbols"),
      depth: capability("GET", "/api/v3/market/depth"),
      trades: capability("GET", "/api/v3/market/trades"),
      status: capability("GET", "/api/status"),
      feeCredits: capability("POST", "/api/v3/user/trading-credits"),
      clientOrderId: { duplicates: "unknown" },
      postOnly: true,
      historyAmountOfBuys: "quote",
      ...streamPaths(streams),
    },
  };
}

function specProfile(baseUrl: string, switches: Readonly<Switches>): PracticeProfile {
  return {
    bidsideProfile: 1,
    name: "Practice",
    baseUrl,
    headerPrefix: HEADER_PREFIX,
    walletMethod: "GET",
    symbolOrder: "quoteFirst",
    historyPath: HISTORY_PATH,
    features: featuresOf(switches),
  };
}

function featuresOf({
  generations,
  clientIds,
  duplicates,
  streams,
}: Readonly<Switches>): Readonly<Record<string, unknown>> {
  const offered = offeredRoutes(generations);
  const capabilities = Array.from(offered, ([endpoint, { path, methods, generation }]) => [
    endpoint,
    {
      method: methods[0],
      path,
      symbolOrder: generation === "A" ? "quoteFirst" : "baseFirst",
      envelope: generation,
    },
  ]);
  if (offered.size === 0) return streamPaths(streams);
  return {
    ...(Object.fromEntries(capabilities) as Record<string, unknown>),
    ...(clientIds !== "dropped" && { clientOrderId: { duplicates, windowMs: TIMESTAMP_WINDOW_MS } }),
    postOnly: true,
    historyAmountOfBuys: offered.get("orderHistory")?.generation === "A" ? "base" : "quote",
    ...streamPaths(streams),
  };
}

function streamPaths(streams: Switches["streams"]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(streams.map((kind) => [`${kind}Stream`, { path: STREAM_PATHS[kind] }]));
}
