import { isLoopback } from "../../http/loopback.ts";

/**
 * Base URLs to try, the most likely first, or why the text is not an address. `address`: the longest of them, which gives
 * the same again. It may be stored; the pasted text may have a key in its query.
 */
export type PastedAddress =
  | {
      readonly bases: readonly [URL, ...URL[]];
      readonly address: string;
      readonly apiHost?: string | undefined;
    }
  | "missing"
  | "invalid"
  | "insecure";

/** First labels of hosts with web pages. The API is usually on the sibling host `api.…`. */
const PAGE_LABELS: ReadonlySet<string> = new Set([
  "www",
  "docs",
  "doc",
  "developer",
  "developers",
  "help",
  "support",
  "github",
  "app",
]);

/** Where the API path begins in a pasted link. Anything before it is the exchange's own prefix, which may have a version. */
const API_PATH = /\/(?:api|tradingview|websocket-api)(?:\/.*)?$/;
const VERSION_PATH = /\/v\d(?:\/.*)?$/;
/** A path that may be a prefix as it is. */
const WHOLE_PREFIX = /\/(?:api|v\d)$/;

/** The characters of a link: no spaces, quotes or brackets. */
const LINK = /^[\w\-.~:/?#@!$&'*+,;=%]{1,2000}$/;
/** An IP address, or a name whose last label begins with a letter. */
const HOST = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\]|(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*)$/;
/** A few short path segments. Longer ones are never sent, because they may be a pasted key. */
const PREFIX = /^(?:\/[a-z\d._-]{1,20}){1,3}$/i;

/**
 * Parses whatever the user pasted: a host, a base URL, or a link to an endpoint or a page. The default scheme is https;
 * http is accepted for loopback only. Query, fragment and user info are dropped. `apiHost`: a sibling host that may serve
 * the API; it receives no request without the user's consent.
 */
export function readPastedAddress(text: string): PastedAddress {
  const trimmed = text.trim();
  if (trimmed === "") return "missing";
  // A key or secret pasted here by mistake must not be resolved as a host or sent as a path.
  if (!LINK.test(trimmed)) return "invalid";
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (!url || !["https:", "http:"].includes(url.protocol)) return "invalid";
  if (!isLoopback(url) && !HOST.test(url.hostname)) return "invalid";
  if (url.protocol === "http:" && !isLoopback(url)) return "insecure";
  const bases = basesOf(url);
  const [first = "", ...rest] = url.hostname.split(".");
  const apiHost =
    PAGE_LABELS.has(first) && rest.length >= 2
      ? `api.${rest.join(".")}`
      : rest.length === 1 && !isLoopback(url)
        ? `api.${url.hostname}`
        : undefined;
  const { href: address } = bases.reduce((longest, base) =>
    base.href.length > longest.href.length ? base : longest,
  );
  return { bases, address, ...(apiHost !== undefined && { apiHost }) };
}

/** The possible base URLs of a link, without the paths of the API. */
function basesOf({ origin, pathname }: URL): readonly [URL, ...URL[]] {
  const whole = pathname.replace(/\/+$/, "");
  const beforeApi = whole.replace(API_PATH, "");
  const paths = [
    beforeApi,
    beforeApi.replace(VERSION_PATH, ""),
    ...(WHOLE_PREFIX.test(whole) ? [whole] : []),
  ];
  const prefixes = paths.map((path) => (PREFIX.test(path) ? path : ""));
  const [first = "", ...others] = new Set([...prefixes, ""]);
  return [new URL(first, origin), ...others.map((prefix) => new URL(prefix, origin))];
}
