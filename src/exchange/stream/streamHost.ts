import { getDomain } from "tldts";
import { isLoopback } from "../../http/loopback.ts";

/**
 * Whether the private stream of the service at `baseUrl` may be at `host`, a host name with a port if not the default.
 * The host receives signatures made with the service's key, so it must have the same owner: it is the same host, or
 * shares a registrable domain according to the public suffix list. A service on loopback may use any loopback host and
 * port.
 */
export function mayStreamFrom(baseUrl: URL, host: string): boolean {
  const url = hostUrl(host);
  if (!url) return false;
  if (isLoopback(baseUrl) || isLoopback(url)) return isLoopback(baseUrl) && isLoopback(url);
  if (url.host === baseUrl.host) return true;
  const domain = registrableDomain(baseUrl);
  return domain !== undefined && domain === registrableDomain(url);
}

/** The sibling of `baseUrl` from which services of this family usually stream; undefined if there cannot be one. */
export function siblingStreamHost(baseUrl: URL): string | undefined {
  const domain = isLoopback(baseUrl) ? undefined : registrableDomain(baseUrl);
  const host = domain && `stream.${domain}`;
  return host === baseUrl.host ? undefined : host;
}

function hostUrl(host: string): URL | undefined {
  const text = `https://${host}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Rejects anything but a host in normal form, such as a path or user info.
  return url?.host === host ? url : undefined;
}

function registrableDomain({ hostname }: URL): string | undefined {
  // Private suffixes, such as those of hosting services, have a different owner for each name below them.
  return getDomain(hostname, { allowPrivateDomains: true }) ?? undefined;
}
