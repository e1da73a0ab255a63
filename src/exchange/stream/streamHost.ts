import { getDomain } from "tldts";
import { isLoopback } from "../loopback.ts";

/**
 * Whether the private stream of the service at `baseUrl` may be at `host`, a host name with its port if it is not the usual
 * one. It gets signatures of the service's key, so it must belong to the same owner: the same host, or a sibling under one
 * registrable domain by the public suffix list. On this computer, any port.
 */
export function mayStreamFrom(baseUrl: URL, host: string): boolean {
  const url = hostUrl(host);
  if (!url) return false;
  if (isLoopback(baseUrl) || isLoopback(url)) return isLoopback(baseUrl) && isLoopback(url);
  if (url.host === baseUrl.host) return true;
  const domain = registrableDomain(baseUrl);
  return domain !== undefined && domain === registrableDomain(url);
}

/** The sibling of `baseUrl` that services of this family stream from; undefined if there can be none. */
export function siblingStreamHost(baseUrl: URL): string | undefined {
  const domain = isLoopback(baseUrl) ? undefined : registrableDomain(baseUrl);
  const host = domain && `stream.${domain}`;
  return host === baseUrl.host ? undefined : host;
}

function hostUrl(host: string): URL | undefined {
  const text = `https://${host}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The text is a host and nothing else: no path, no user, in its normal form.
  return url?.host === host ? url : undefined;
}

function registrableDomain({ hostname }: URL): string | undefined {
  // A suffix such as that of a hosting service has a different owner below each name.
  return getDomain(hostname, { allowPrivateDomains: true }) ?? undefined;
}
