import type { HttpRequest } from "../http/transport.ts";
import type { Endpoint, EndpointForm, Generation, RequestParameters } from "./endpoints.ts";

/** A request to an endpoint, complete but for its headers. */
export interface EndpointCall extends Omit<HttpRequest, "headers" | "maxBytes"> {
  readonly label: Endpoint;
  /** The generation given by the profile; detected from the response if undefined. */
  readonly generation?: Generation | undefined;
}

/**
 * The request to an endpoint below `baseUrl`. Parameters that the path has in its query keep their value there. A POST
 * without parameters has an empty body, signed as the empty string (api.md 4).
 */
export function callOf(
  label: Endpoint,
  baseUrl: URL,
  { method, path, envelope: generation }: Omit<EndpointForm, "symbolOrder" | "symbolCase">,
  parameters: RequestParameters = {},
): EndpointCall {
  const url = targetOf(baseUrl, path);
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  if (method === "POST") {
    const body = given.length === 0 ? "" : JSON.stringify(Object.fromEntries(given));
    return { label, method, url, body: Buffer.from(body), generation };
  }
  for (const [key, value] of given)
    if (!url.searchParams.has(key)) url.searchParams.append(key, String(value));
  return { label, method, url, generation };
}

/** The URL of a path, which may contain a query string, below the base URL, which may have a path prefix. */
export function targetOf(baseUrl: URL, path: string): URL {
  const [pathname = "", query = ""] = path.split(/\?(.*)/s);
  const target = new URL(baseUrl);
  target.pathname = target.pathname.replace(/\/+$/, "") + pathname;
  target.search = query;
  return target;
}
