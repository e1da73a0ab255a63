/**
 * A separate process: an exchange of 500 pairs that streams 420 tickers a second. `GET /flow/NAME` sets how: `even`, `bursts`, `stalled`
 * (no frame), `ended` (connections are broken off and refused). `GET /sockets` counts connections, from the last
 * time without any. `GET /sent` lists the newest frames. Ends by itself after 10 minutes.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { FRAMES_A_SECOND, PAIRS, STREAM_PATH, stamp } from "./streamed.ts";

type Flow = "even" | "bursts" | "stalled" | "ended";

const STEP_MS = 10;
const BURST_MS = 1000;
/** Bursts keep no step with anything that repeats. */
const BURST_JITTER_MS = 200;
const BURST_FRAMES = (FRAMES_A_SECOND * BURST_MS) / 1000;
/**
 * The frames of a burst, 140 KB, take 11 ms over a network of 100 Mbit/s. A server that writes them all at once may keep the core of the
 * window until the last one is written, and no exchange does that.
 */
const BURST_STEPS = 11;
const BURST_STEP_MS = 1;

/** Frames of a minute and a half. */
const MAX_SENT = 90 * FRAMES_A_SECOND;

/** The number of a pair, its price, and when the frame was written, ms since the epoch. */
const sent: (readonly [id: number, last: number, at: number])[] = [];
const turns = Array.from({ length: PAIRS }, () => 0);
const listeners = new Map<string, Set<WebSocket>>();
let flow: Flow = "even";
let next = 0;
let mostSockets = 0;

function tickerOf(index: number): Readonly<Record<string, number>> {
  const [id, turn] = [index + 1, turns[index] ?? 0];
  const last = Number((1000 + id + (turn % 10) / 10).toFixed(1));
  const volume = Number((id * 3.25 + turn / 8).toFixed(3));
  return {
    id,
    last,
    lowestAsk: last + 0.5,
    lowestAskSize: 0.125 * id,
    highestBid: last - 0.5,
    highestBidSize: 0.25 * id,
    change: (turn % 10) / 10,
    percentChange: (id % 700) / 100,
    baseVolume: volume,
    quoteVolume: volume * 1000,
    isFrozen: 0,
    high24hr: last + 5,
    low24hr: last - 5,
    open: last,
    close: last,
  };
}

/** The next pairs get their next prices. `mark` is added to the first frame of each connection that is not `marked`. */
function sendPrices(
  count: number,
  mark?: () => Readonly<Record<string, number>>,
  marked = new Set<WebSocket>(),
): void {
  for (let each = 0; each < count; each += 1) {
    const index = (next = (next + 1) % PAIRS);
    turns[index] = (turns[index] ?? 0) + 1;
    if (flow === "stalled" || flow === "ended") continue;
    const stream = `market.ticker.thb_a${index + 1}`;
    for (const socket of listeners.get(stream) ?? []) {
      const extra = marked.has(socket) ? undefined : mark?.();
      marked.add(socket);
      const ticker = tickerOf(index);
      socket.send(JSON.stringify({ stream, ...ticker, ...extra }));
      sent.push([index + 1, ticker["last"] ?? 0, performance.timeOrigin + performance.now()]);
    }
  }
}

const startedAt = performance.now();
let framesSent = 0;
setInterval(() => {
  const due = Math.floor(((performance.now() - startedAt) * FRAMES_A_SECOND) / 1000) - framesSent;
  framesSent += due;
  if (flow !== "bursts") sendPrices(due);
}, STEP_MS);

setInterval(() => sent.splice(0, sent.length - MAX_SENT), 60_000);

let burst = 0;
/** `marked`: the connections that got their first frame of the burst. */
function sendPart(left: number, marked: Set<WebSocket>): void {
  const count = Math.min(left, Math.ceil(BURST_FRAMES / BURST_STEPS));
  if (count === 0 || flow !== "bursts") return;
  sendPrices(count, () => ({ burst, sentAt: stamp() }), marked);
  setTimeout(() => sendPart(left - count, marked), BURST_STEP_MS);
}

function sendBurst(): void {
  if (flow === "bursts") {
    burst += 1;
    sendPart(BURST_FRAMES, new Set());
  }
  setTimeout(sendBurst, BURST_MS + (Math.random() - 0.5) * BURST_JITTER_MS);
}
sendBurst();

function answerTo(path: string): unknown {
  if (path.startsWith("/flow/")) {
    flow = path.slice("/flow/".length) as Flow;
    if (flow === "ended") for (const socket of streams.clients) socket.terminate();
    return {};
  }
  if (path === "/sent") return sent.slice(-MAX_SENT);
  if (path === "/sockets") {
    const sockets = { now: streams.clients.size, most: mostSockets };
    if (sockets.now === 0) mostSockets = 0;
    return sockets;
  }
  const tickers = (): object =>
    Object.fromEntries(turns.map((_, index) => [`THB_A${index + 1}`, tickerOf(index)]));
  const result = path.endsWith("/ticker")
    ? tickers()
    : path.endsWith("/servertime")
      ? Math.floor(Date.now() / 1000)
      : { THB: 1000 };
  return { error: 0, result };
}

const streams = new WebSocketServer({ noServer: true, perMessageDeflate: false });
const server = createServer((request, response) => {
  response.setHeader("Content-Type", "application/json");
  request.resume().on("end", () => response.end(JSON.stringify(answerTo(request.url ?? ""))));
});
server.on("upgrade", (request, socket, head) => {
  socket.on("error", () => undefined);
  if (flow === "ended") return void socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n");
  streams.handleUpgrade(request, socket, head, (open) => {
    mostSockets = Math.max(mostSockets, streams.clients.size);
    const names = decodeURIComponent(request.url ?? "")
      .slice(STREAM_PATH.length)
      .split(",");
    for (const name of names) {
      let sockets = listeners.get(name);
      if (!sockets) listeners.set(name, (sockets = new Set()));
      sockets.add(open);
    }
    open.on("close", () => names.forEach((name) => listeners.get(name)?.delete(open)));
    open.on("error", () => undefined);
  });
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ baseUrl: `http://127.0.0.1:${port}` }));
});
setTimeout(() => process.exit(), 600_000);
