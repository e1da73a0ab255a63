import type { Endpoint } from "../../market/endpoints.ts";

/** API generations of this family, each with its own paths, pair names and response shapes. */
export type PracticeGeneration = "A" | "B" | "C";

/**
 * Which API is served: that of the specification, with the extensions of each generation, or that of a large service of
 * 2026, where the oldest paths are gone.
 */
export type Api = "spec" | "current";

/**
 * The endpoints of this family that the practice exchange serves, and the reset of the account, which no real exchange has.
 */
export type PracticeEndpoint = Exclude<Endpoint, "privateStream"> | "reset";

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
  endpoint: PracticeEndpoint,
  methods: readonly ("GET" | "POST")[],
  access: "signed" | "public",
];

/** Served by every practice exchange. */
const ALWAYS: readonly Row[] = [
  ["/api/servertime", "serverTime", ["GET"], "public"],
  ["/api/market/ticker", "tickers", ["GET"], "public"],
  ["/api/market/wallet", "wallet", ["GET", "POST"], "signed"],
  ["/api/market/place-bid", "placeBid", ["POST"], "signed"],
  ["/tradingview/history", "history", ["GET"], "public"],
  [RESET_PATH, "reset", ["POST"], "signed"],
];

/** Extensions of each generation beyond the four endpoints. */
const OFFERED: Readonly<Record<PracticeGeneration, readonly Row[]>> = {
  A: [
    ["/api/market/place-ask", "placeAsk", ["POST"], "signed"],
    ["/api/market/cancel-order", "cancelOrder", ["POST"], "signed"],
    ["/api/market/my-open-orders", "openOrders", ["POST"], "signed"],
    ["/api/market/order-info", "orderInfo", ["POST"], "signed"],
    ["/api/market/my-order-history", "orderHistory", ["POST"], "signed"],
    ["/api/market/balances", "balances", ["POST"], "signed"],
    ["/api/market/symbols", "symbols", ["GET"], "public"],
    ["/api/market/depth", "depth", ["GET"], "public"],
    ["/api/market/trades", "trades", ["GET"], "public"],
  ],
  B: [
    ["/api/v3/market/place-bid", "placeBid", ["POST"], "signed"],
    ["/api/v3/market/place-ask", "placeAsk", ["POST"], "signed"],
    ["/api/v3/market/cancel-order", "cancelOrder", ["POST"], "signed"],
    ["/api/v3/market/my-open-orders", "openOrders", ["GET"], "signed"],
    ["/api/v3/market/order-info", "orderInfo", ["GET"], "signed"],
    ["/api/v3/market/my-order-history", "orderHistory", ["GET"], "signed"],
    ["/api/v3/market/symbols", "symbols", ["GET"], "public"],
    ["/api/v3/market/depth", "depth", ["GET"], "public"],
    ["/api/v3/market/trades", "trades", ["GET"], "public"],
  ],
  C: [
    ["/api/v4/wallet/balances", "balances", ["GET"], "signed"],
    ["/api/v4/wallet/assets", "wallet", ["GET"], "signed"],
  ],
};

/** The service of 2026. Server time and tickers have no envelope. */
const CURRENT: ReadonlyMap<string, Route> = new Map([
  ...(
    [
      ["/api/servertime", "serverTime", ["GET"], "public"],
      ["/api/v3/servertime", "serverTime", ["GET"], "public"],
      ["/api/v3/market/ticker", "tickers", ["GET"], "public"],
      ["/api/status", "status", ["GET"], "public"],
      ["/tradingview/history", "history", ["GET"], "public"],
      ["/api/v3/market/wallet", "wallet", ["POST"], "signed"],
      ["/api/v3/market/balances", "balances", ["POST"], "signed"],
      ["/api/v3/user/trading-credits", "feeCredits", ["POST"], "signed"],
      [RESET_PATH, "reset", ["POST"], "signed"],
      ...OFFERED.B,
    ] as const
  ).map((row) => [row[0], routeFrom(row, "B")] as const),
  ...OFFERED.C.map((row) => [row[0], routeFrom(row, "C")] as const),
]);

/** The route of a request target, for an exchange with these generations; undefined if there is none. */
export function routeOf(
  target: string,
  { api, generations: offered }: { readonly api: Api; readonly generations: readonly PracticeGeneration[] },
): Route | undefined {
  const path = target.split("?", 1)[0] ?? "";
  if (api === "current") return CURRENT.get(path);
  const route = ROUTES.get(path);
  return route && (ALWAYS_PATHS.has(path) || offered.includes(route.generation)) ? route : undefined;
}

/**
 * Extensions of these generations, by endpoint. The first generation that has an endpoint provides it, but pairs come from
 * B if offered: those of A have no limits.
 */
export function offeredRoutes(
  offered: readonly PracticeGeneration[],
): ReadonlyMap<PracticeEndpoint, Route & { readonly path: string }> {
  const found = new Map<PracticeEndpoint, Route & { readonly path: string }>();
  for (const generation of offered) {
    for (const row of OFFERED[generation]) {
      const [path, endpoint] = row;
      const hasLimits = endpoint === "symbols" && generation === "B";
      if (BEYOND.has(endpoint) && (hasLimits || !found.has(endpoint))) {
        found.set(endpoint, { path, ...routeFrom(row, generation) });
      }
    }
  }
  return found;
}

function routeFrom([, endpoint, methods, access]: Row, generation: PracticeGeneration): Route {
  return { endpoint, methods, generation, isSigned: access === "signed" };
}

/** Endpoints beyond the four, which a profile lists individually. */
const BEYOND: ReadonlySet<PracticeEndpoint> = new Set(OFFERED.A.map(([, endpoint]) => endpoint));
const ALWAYS_PATHS: ReadonlySet<string> = new Set(ALWAYS.map(([path]) => path));
const ROUTES: ReadonlyMap<string, Route> = new Map([
  ...ALWAYS.map((row) => [row[0], routeFrom(row, "A")] as const),
  ...(["A", "B", "C"] as const).flatMap((generation) =>
    OFFERED[generation].map((row) => [row[0], routeFrom(row, generation)] as const),
  ),
]);
