/** Appends a path to a base URL, which may have a path prefix. */
export function pathUnder(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url;
}
