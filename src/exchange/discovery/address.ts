import { isLoopback } from "../loopback.ts";

/** Where to look for an exchange, the most likely base URL first, or why a text is no address. */
export type PastedAddress =
  | { readonly bases: readonly [URL, ...URL[]]; readonly apiHost?: string | undefined }
  | "missing"
  | "invalid"
  | "insecure";

/** First labels of hosts that serve pages for people. The API is then on a sibling, most often `api.…`. */
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

/** The beginning of every path of this family. What stands before it in a pasted link is the exchange's own prefix. */
const API_PATH = /\/(?:api|tradingview|websocket-api|v\d)(?:\/.*)?$/;

/** Characters of links, without spaces, quotes and brackets. */
const LINK = /^[\w\-.~:/?#@!$&'*+,;=%]{1,2000}$/;
/** An address in numbers, or names whose last one begins with a letter. */
const HOST = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\]|(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*)$/;
/** The prefix of an API is a few short names: nothing longer is sent, because it may be a key. */
const PREFIX = /^(?:\/[a-z\d._-]{1,20}){1,3}$/i;

/**
 * Reads whatever the user pasted: a host, a base URL, the address of one endpoint, or of a page. The scheme is https unless
 * it is given; plain http is for this computer only. Query, fragment and user info are dropped. `apiHost` is a sibling
 * that may serve the API of a host with pages: nobody asks it without the user's consent.
 */
export function readPastedAddress(text: string): PastedAddress {
  const trimmed = text.trim();
  if (trimmed === "") return "missing";
  // A key and a secret that were pasted here by mistake must not be looked up as a host or sent as a path.
  if (!LINK.test(trimmed)) return "invalid";
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (!url || !["https:", "http:"].includes(url.protocol)) return "invalid";
  if (!isLoopback(url) && !HOST.test(url.hostname)) return "invalid";
  if (url.protocol === "http:" && !isLoopback(url)) return "insecure";
  const path = url.pathname.replace(API_PATH, "").replace(/\/+$/, "");
  const prefix = PREFIX.test(path) ? path : "";
  const root = new URL(url.origin);
  const bases: [URL, ...URL[]] = prefix === "" ? [root] : [new URL(prefix, root), root];
  const [first = "", ...rest] = url.hostname.split(".");
  const apiHost =
    PAGE_LABELS.has(first) && rest.length >= 2
      ? `api.${rest.join(".")}`
      : rest.length === 1 && !isLoopback(url)
        ? `api.${url.hostname}`
        : undefined;
  return { bases, ...(apiHost !== undefined && { apiHost }) };
}
