/** API generations of this family, each with its own paths, pair names and response shapes. */
export type PracticeGeneration = "A" | "B" | "C";

/**
 * Which API is served: that of the specification, with the complete order lifecycle, or that of a large service as of
 * 2026, without the oldest paths.
 */
export type Api = "spec" | "current";

export interface Route {
  readonly endpoint: PracticeEndpoint;
  readonly methods: readonly ("GET" | "POST")[];
  /** Shape of requests and responses: A for everything in the specification. */
  readonly generation: PracticeGeneration;
  /** Requires the key pair. */
  readonly isSigned: boolean;
}

/** Signed like any private request, so that only the key's owner can reset the account. */
export const RESET_PATH = "/practice/reset";

type Row = readonly [
  path: string,
  endpoint: string,
  methods: readonly ("GET" | "POST")[],
  access: "signed" | "public",
];

const RESET = [RESET_PATH, "reset", ["POST"], "signed"] as const satisfies Row;
const HISTORY = ["/tradingview/history", "history", ["GET"], "public"] as const satisfies Row;
/** Lists the limits of each pair. */
const SYMBOLS = ["/api/v3/market/symbols", "symbols", ["GET"], "public"] as const satisfies Row;

/** Rows of each generation. If two serve the same endpoint, the profile lists the last one. */
const ROWS = {
  spec: [
    [
      "A",
      [
        ["/api/servertime", "serverTime", ["GET"], "public"],
        ["/api/market/ticker", "tickers", ["GET"], "public"],
        ["/api/market/wallet", "wallet", ["GET", "POST"], "signed"],
        ["/api/market/place-bid", "placeBid", ["POST"], "signed"],
        ["/api/market/place-ask", "placeAsk", ["POST"], "signed"],
        ["/api/market/cancel-order", "cancelOrder", ["POST"], "signed"],
        ["/api/market/my-open-orders", "openOrders", ["POST"], "signed"],
        ["/api/market/order-info", "orderInfo", ["POST"], "signed"],
        ["/api/market/my-order-history", "orderHistory", ["POST"], "signed"],
        ["/api/market/balances", "balances", ["POST"], "signed"],
        ["/api/market/symbols", "symbols", ["GET"], "public"],
        ["/api/market/depth", "depth", ["GET"], "public"],
        ["/api/market/trades", "trades", ["GET"], "public"],
        HISTORY,
        RESET,
      ],
    ],
    ["B", [SYMBOLS]],
  ],
  // Server time and tickers have no envelope.
  current: [
    [
      "B",
      [
        ["/api/servertime", "serverTime", ["GET"], "public"],
        ["/api/v3/servertime", "serverTime", ["GET"], "public"],
        ["/api/v3/market/ticker", "tickers", ["GET"], "public"],
        ["/api/v3/market/wallet", "wallet", ["POST"], "signed"],
        ["/api/v3/market/balances", "balances", ["POST"], "signed"],
        ["/api/v3/market/place-bid", "placeBid", ["POST"], "signed"],
        ["/api/v3/market/place-ask", "placeAsk", ["POST"], "signed"],
        ["/api/v3/market/cancel-order", "cancelOrder", ["POST"], "signed"],
        ["/api/v3/market/my-open-orders", "openOrders", ["GET"], "signed"],
        ["/api/v3/market/order-info", "orderInfo", ["GET"], "signed"],
        ["/api/v3/market/my-order-history", "orderHistory", ["GET"], "signed"],
        SYMBOLS,
        ["/api/v3/market/depth", "depth", ["GET"], "public"],
        ["/api/v3/market/trades", "trades", ["GET"], "public"],
        ["/api/v3/user/trading-credits", "feeCredits", ["POST"], "signed"],
        ["/api/status", "status", ["GET"], "public"],
        HISTORY,
        RESET,
      ],
    ],
    [
      "C",
      [
        ["/api/v4/wallet/balances", "balances", ["GET"], "signed"],
        ["/api/v4/wallet/assets", "wallet", ["GET"], "signed"],
      ],
    ],
  ],
} as const satisfies Record<Api, readonly (readonly [PracticeGeneration, readonly Row[]])[]>;

/** Endpoints of the practice exchange: those of this family, and the reset of the account, which no real exchange has. */
export type PracticeEndpoint = (typeof ROWS)[Api][number][1][number][1];

/** The routes of an API by path. */
export const routesOf: Readonly<Record<Api, ReadonlyMap<string, Route>>> = {
  spec: routesFrom("spec"),
  current: routesFrom("current"),
};

/** The route of a request target; undefined if there is none. */
export function routeOf(target: string, api: Api): Route | undefined {
  return routesOf[api].get(target.split("?", 1)[0] ?? "");
}

function routesFrom(api: Api): ReadonlyMap<string, Route> {
  const routes = ROWS[api].flatMap(([generation, rows]) =>
    rows.map(
      ([path, endpoint, methods, access]) =>
        [path, { endpoint, methods, generation, isSigned: access === "signed" }] as const,
    ),
  );
  return new Map(routes);
}
