import { endpointNames, type Endpoint as MarketEndpoint } from "../../market/endpoints.ts";

/** The generations of services of this family. Each has its own paths, names of pairs and shapes of answers. */
export type Generation = "A" | "B" | "C";

/** No endpoint here: streams are no requests. */
type NotServed = "privateStream";
const notServed: ReadonlySet<MarketEndpoint> = new Set<NotServed>(["privateStream"]);

/**
 * Which API is served: that of the specification, with what other services of its generations offer beyond it, or that
 * of a large service of 2026, where the oldest paths are gone.
 */
export type Api = "spec" | "current";

/** What exchanges of this family answer, as far as this one does, and the reset of the account, which no real one has. */
export type Endpoint = Exclude<MarketEndpoint, NotServed> | "reset";
export const endpoints: readonly Endpoint[] = [...endpointNames.filter(isServed), "reset"];

function isServed(name: MarketEndpoint): name is Exclude<MarketEndpoint, NotServed> {
  return !notServed.has(name);
}

/** What is served at a path. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly methods: readonly ("GET" | "POST")[];
  /** The shape of requests and answers: A for everything in the specification. */
  readonly generation: Generation;
  /** Only for the owner of the key pair. */
  readonly isSigned: boolean;
}

/** Signed like any private request, so that only the owner of the key pair can reset the account. */
export const RESET_PATH = "/practice/reset";

type Row = readonly [
  path: string,
  endpoint: Endpoint,
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

/** What each generation offers beyond the four endpoints. */
const OFFERED: Readonly<Record<Generation, readonly Row[]>> = {
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

/** The service of 2026. Server time and tickers are bare. */
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

/** The route of a request's target, at an exchange that offers these generations; undefined if there is none. */
export function routeOf(
  target: string,
  { api, generations: offered }: { readonly api: Api; readonly generations: readonly Generation[] },
): Route | undefined {
  const path = target.split("?", 1)[0] ?? "";
  if (api === "current") return CURRENT.get(path);
  const route = ROUTES.get(path);
  return route && (ALWAYS_PATHS.has(path) || offered.includes(route.generation)) ? route : undefined;
}

/**
 * What these generations offer beyond the four endpoints, by endpoint. The first generation that has one gives it, but
 * pairs are told by B if it is offered: those of A have no limits.
 */
export function offeredRoutes(
  offered: readonly Generation[],
): ReadonlyMap<Endpoint, Route & { readonly path: string }> {
  const found = new Map<Endpoint, Route & { readonly path: string }>();
  for (const generation of offered) {
    for (const row of OFFERED[generation]) {
      const [path, endpoint] = row;
      const saysMore = endpoint === "symbols" && generation === "B";
      if (BEYOND.has(endpoint) && (saysMore || !found.has(endpoint))) {
        found.set(endpoint, { path, ...routeFrom(row, generation) });
      }
    }
  }
  return found;
}

function routeFrom([, endpoint, methods, access]: Row, generation: Generation): Route {
  return { endpoint, methods, generation, isSigned: access === "signed" };
}

/** The endpoints beyond the four, which a profile names one by one. */
const BEYOND: ReadonlySet<Endpoint> = new Set(OFFERED.A.map(([, endpoint]) => endpoint));
const ALWAYS_PATHS: ReadonlySet<string> = new Set(ALWAYS.map(([path]) => path));
const ROUTES: ReadonlyMap<string, Route> = new Map([
  ...ALWAYS.map((row) => [row[0], routeFrom(row, "A")] as const),
  ...(["A", "B", "C"] as const).flatMap((generation) =>
    OFFERED[generation].map((row) => [row[0], routeFrom(row, generation)] as const),
  ),
]);
