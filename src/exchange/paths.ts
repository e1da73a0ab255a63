import type { Endpoint } from "../market/endpoints.ts";

export type SpecEndpoint = "serverTime" | "tickers" | "wallet" | "placeBid";

/** The paths of api.md 4. */
export const specPaths: Readonly<Record<SpecEndpoint, string>> = {
  serverTime: "/api/servertime",
  tickers: "/api/market/ticker",
  wallet: "/api/market/wallet",
  placeBid: "/api/market/place-bid",
};

/** Last path segment under which APIs of this family usually serve each endpoint. */
const USUAL_NAMES = {
  serverTime: ["servertime"],
  tickers: ["ticker"],
  wallet: ["wallet", "balances", "assets"],
  placeBid: ["place-bid"],
  placeAsk: ["place-ask"],
  cancelOrder: ["cancel-order"],
  openOrders: ["my-open-orders"],
  orderInfo: ["order-info"],
  orderHistory: ["my-order-history"],
  balances: ["wallet", "balances", "assets"],
  symbols: ["symbols"],
  depth: ["depth"],
  trades: ["trades"],
  status: ["status"],
  feeCredits: ["trading-credits"],
  history: ["history"],
  privateStream: ["private"],
} as const satisfies Record<Endpoint, readonly string[]>;

const USUAL_PATH =
  /^\/(?:api\/(?:v3\/)?(?:market|user)\/[\w-]+|api\/(?:v3\/)?(?:servertime|status)|api\/v4\/wallet\/[\w-]+|tradingview\/history|v3\/private)$/;

/** Two endpoints of a profile, where the first uses the path of the second. */
export type SharedPath = readonly [endpoint: Endpoint, owner: Endpoint];

/** Whether documented services of the family serve this endpoint at this path. */
export function isUsualPath(endpoint: Endpoint, path: string): boolean {
  const [pathname = "", query] = path.split("?");
  const isUsualQuery = query === undefined || (endpoint === "history" && query === "symbol={base}_{quote}");
  return isUsualQuery && USUAL_PATH.test(pathname) && namesOf(endpoint).includes(nameIn(pathname));
}

/**
 * Finds the first endpoint that uses another endpoint's path, or a name usual for another endpoint: a sell order sent to
 * the path of buy orders would be the opposite of what was confirmed. Wallet and balances may share a path.
 */
export function sharedPathOf(
  paths: readonly { readonly endpoint: Endpoint; readonly path: string }[],
): SharedPath | undefined {
  const owners = new Map<string, Endpoint>();
  for (const { endpoint, path } of paths) {
    const pathname = plainPath(path);
    const owner = owners.get(pathname) ?? ownerOf(nameIn(pathname), endpoint);
    if (owner !== undefined && groupOf(owner) !== groupOf(endpoint)) return [endpoint, owner];
    owners.set(pathname, endpoint);
  }
  return undefined;
}

/** The endpoint for which a name is usual, or `endpoint` itself if the name is acceptable for it. */
function ownerOf(name: string, endpoint: Endpoint): Endpoint | undefined {
  if (namesOf(endpoint).includes(name)) return endpoint;
  return (Object.keys(USUAL_NAMES) as Endpoint[]).find((each) => namesOf(each).includes(name));
}

function namesOf(endpoint: Endpoint): readonly string[] {
  return USUAL_NAMES[endpoint];
}

const groupOf = (endpoint: Endpoint): Endpoint => (endpoint === "balances" ? "wallet" : endpoint);

const nameIn = (pathname: string): string => pathname.slice(pathname.lastIndexOf("/") + 1);

/** Normalizes a path as a server might: without query, decoded, lower case, single slashes. */
function plainPath(path: string): string {
  const pathname = path.replace(/\?.*$/s, "");
  const decoded = pathname.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded.toLowerCase().replaceAll(/\/+/g, "/").replace(/\/$/, "");
}
