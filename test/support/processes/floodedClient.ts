/**
 * A separate process, for a separate memory: `node floodedClient.ts JSON`. It makes every request to a
 * flooding server, and prints the results and the growth of its memory. Each answer is noted on stderr.
 */
import { createTransport } from "../../../src/http/transport.ts";
import { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { ExchangeError } from "../../../src/exchange/errors.ts";
import { specPaths } from "../../../src/exchange/paths.ts";
import type { SpecEndpoint } from "../../../src/exchange/endpoints.ts";
import { testBid, testClient, timeFrom } from "../builders/client.ts";

/** The servers and the limit. */
export interface FloodOrder {
  readonly url: string;
  /** A server that gives the time. */
  readonly clockUrl: string;
  /** The client's limit; undefined: the client's own. */
  readonly timeoutMs?: number;
}

/** The result of one request. */
export interface Flooded {
  readonly endpoint: SpecEndpoint;
  /** Kind and reason of the error. */
  readonly ended: string;
  readonly ms: number;
}

export interface FloodReport {
  readonly answers: readonly Flooded[];
  /** Most bytes that one answer was read to, before and after decompression. */
  readonly most: Readonly<Record<"received" | "decoded", Readonly<Record<"tickers" | "others", number>>>>;
  /** Largest size of the process since it was ready, less its size then; bytes. */
  readonly grown: number;
}

const most = { received: { tickers: 0, others: 0 }, decoded: { tickers: 0, others: 0 } };
let asking: "tickers" | "others" = "others";

/** Makes every stream of a class count the bytes that it gives to its reader. */
function countIn(prototype: Readable, what: keyof typeof most): void {
  const { push } = prototype;
  const counts = new WeakMap<Readable, { group: typeof asking; size: number }>();
  prototype.push = function (this: Readable, chunk: Buffer | null) {
    const count = counts.get(this) ?? { group: asking, size: 0 };
    counts.set(this, count);
    count.size += chunk?.length ?? 0;
    most[what][count.group] = Math.max(most[what][count.group], count.size);
    return push.call(this, chunk);
  };
}

countIn(IncomingMessage.prototype, "received");
for (const decoder of [createGunzip(), createInflate(), createBrotliDecompress()]) {
  countIn(Object.getPrototypeOf(decoder) as Readable, "decoded");
  decoder.destroy();
}

const order = JSON.parse(process.argv[2] ?? "") as FloodOrder;
async function ask(url: string, endpoint: SpecEndpoint): Promise<Flooded> {
  asking = endpoint === "tickers" ? "tickers" : "others";
  // Bids and wallets are signed by the clock of another server.
  const transport =
    endpoint === "serverTime"
      ? undefined
      : timeFrom(
          order.clockUrl,
          createTransport(order.timeoutMs === undefined ? {} : { timeoutMs: order.timeoutMs }),
        );
  const client = testClient(
    url,
    { walletMethod: "GET" },
    { readWaitsMs: [], timeoutMs: order.timeoutMs, ...(transport && { transport }) },
  );
  const attempts: Record<SpecEndpoint, () => Promise<unknown>> = {
    serverTime: () => client.serverTime(),
    tickers: () => client.tickers(),
    wallet: () => client.wallet(),
    placeBid: () => client.placeOrder(testBid()),
  };
  const begun = performance.now();
  const ended = await attempts[endpoint]().then(
    () => "answered",
    (error: ExchangeError & { reason?: string }) => `${error.kind} ${error.reason}`,
  );
  return { endpoint, ended, ms: Math.round(performance.now() - begun) };
}

const endpoints = Object.keys(specPaths) as SpecEndpoint[];
// All code is loaded and has run once before the process is measured.
for (const endpoint of endpoints) await ask(order.clockUrl, endpoint);
const before = process.memoryUsage.rss();
const answers: Flooded[] = [];
for (const endpoint of endpoints) {
  answers.push(await ask(order.url, endpoint));
  process.stderr.write(`${endpoint} `);
}
const grown = process.resourceUsage().maxRSS * 1024 - before;
console.log(JSON.stringify({ answers, most, grown } satisfies FloodReport));
process.exit();
