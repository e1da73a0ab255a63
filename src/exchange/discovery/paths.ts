/** The address of a path at a base URL, which may have a prefix of its own. */
export function pathUnder(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url;
}
