import {
  byName,
  endpointNames,
  endpoints,
  specEndpoints,
  type Endpoint,
  type EndpointForm,
} from "./endpoints.ts";

/** Method, path and generation of an endpoint. */
export type EndpointRoute = Pick<EndpointForm, "method" | "path" | "envelope">;

/** The documented routes of an endpoint, in the order of the table. */
export function routesOf(endpoint: Endpoint): readonly EndpointRoute[] {
  return endpoints[endpoint].routes.map((route) => {
    const path = route.replace(/^\w+ /, "");
    const envelope = path.includes("/v4/") ? "C" : path.includes("/v3/") ? "B" : "A";
    return { method: route.startsWith("GET ") ? "GET" : "POST", path, envelope };
  });
}

/** The documented route of an endpoint in one generation. Throws if there is none. */
export function routeIn(generation: "A" | "B", endpoint: Endpoint): EndpointRoute {
  const route = routesOf(endpoint).find(({ envelope }) => envelope === generation);
  if (!route) throw new Error(`No ${endpoint} in generation ${generation}`);
  return route;
}

/** The paths of api.md 4. */
export const specPaths = byName(specEndpoints, (name) => routeIn("A", name).path);

/** Two endpoints of a profile, where the first uses the path of the second. */
export type SharedPath = readonly [endpoint: Endpoint, owner: Endpoint];

/** Whether documented services of the family serve this endpoint at this path. */
export function isUsualPath(endpoint: Endpoint, path: string): boolean {
  const [pathname = "", query] = path.split("?");
  const isUsualQuery = query === undefined || (endpoint === "history" && query === "symbol={base}_{quote}");
  return isUsualQuery && pathsOf(endpoint).includes(pathname);
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
  return [endpoint, ...endpointNames].find((each) => pathsOf(each).some((path) => nameIn(path) === name));
}

/** The documented paths of an endpoint, and of one that may share its path. */
function pathsOf(endpoint: Endpoint): readonly string[] {
  const group = endpointNames.filter((each) => groupOf(each) === groupOf(endpoint));
  return group.flatMap((each) => routesOf(each).map(({ path }) => path));
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
