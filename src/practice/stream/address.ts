export const streamKinds = ["ticker", "book", "private"] as const;
export type StreamKind = (typeof streamKinds)[number];

/** A requested stream. Unknown pair names and numbers receive no updates. */
export type StreamAddress =
  | { readonly kind: "ticker"; readonly symbols: readonly string[] }
  | { readonly kind: "book"; readonly pairingId: number }
  | { readonly kind: "private" };

/** Stream paths; those with a trailing slash are followed by names or a number. */
export const STREAM_PATHS: Readonly<Record<StreamKind, string>> = {
  ticker: "/websocket-api/",
  book: "/websocket-api/orderbook/",
  private: "/v3/private",
};

/** Longer targets are rejected with 414: about 183 names fit. */
export const LONGEST_TARGET = 4096;

const TICKER = /^market\.ticker\.([a-z0-9.-]+_[a-z0-9.-]+)$/;

/** Parses a request target: `/websocket-api/{name},{name}`, `/websocket-api/orderbook/{number}` or `/v3/private`. */
export function streamAddressOf(target: string): StreamAddress | undefined {
  const path = decoded(target.split("?", 1)[0] ?? "");
  if (path === STREAM_PATHS.private) return { kind: "private" };
  const number = after(path, STREAM_PATHS.book);
  if (number !== undefined)
    return /^\d{1,9}$/.test(number) ? { kind: "book", pairingId: Number(number) } : undefined;
  const names = after(path, STREAM_PATHS.ticker);
  if (!names || names.includes("/")) return undefined;
  const symbols = names.split(",").flatMap((name) => TICKER.exec(name)?.[1]?.toUpperCase() ?? []);
  return { kind: "ticker", symbols: [...new Set(symbols)] };
}

function after(path: string, beginning: string): string | undefined {
  return path.startsWith(beginning) ? path.slice(beginning.length) : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}
