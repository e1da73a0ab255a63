/**
 * A separate process: an exchange over TLS as far away as the other side of a continent. Every answer is made at
 * once; a relay in front delays the bytes of both sides by 20 ms, so a round trip takes 40 ms, and so does a new
 * connection's TCP handshake. The first line of output names the address and the authority to trust.
 */
import { createServer as createHttpsServer } from "node:https";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { makeAuthority, makeCertificate } from "../support/servers/certificates.ts";

const ONE_WAY_MS = 20;
const LIFETIME_MS = 300_000;

const answers: readonly (readonly [path: string, answer: () => string])[] = [
  ["/servertime", () => `{"error":0,"result":${Date.now()}}`],
  ["/ticker", () => '{"error":0,"result":{"THB_BTC":{"id":1,"last":15000}}}'],
  ["/wallet", () => '{"error":0,"result":{"THB":1000000000}}'],
  ["/place-bid", () => '{"error":0,"result":{"id":"1"}}'],
];

/** Passes on all bytes of `from` in order, each piece `ONE_WAY_MS` after its arrival, and at `earliest` or later. */
function relay(from: Socket, to: Socket, earliest: number): void {
  const later = (task: () => void): void => {
    setTimeout(task, Math.max(ONE_WAY_MS, earliest - performance.now()));
  };
  from
    .setNoDelay()
    .on("data", (piece) => later(() => to.write(piece)))
    .on("end", () => later(() => to.end()))
    .on("close", () => later(() => to.destroy()))
    .on("error", () => undefined);
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const authority = await makeAuthority();
const exchange = createHttpsServer(await makeCertificate({ authority }), (request, response) => {
  request.resume().on("end", () => {
    response.setHeader("Content-Type", "application/json");
    const [, answer] = answers.find(([path]) => request.url?.endsWith(path)) ?? [];
    response.end(answer?.() ?? "{}");
  });
});
const exchangePort = await listen(exchange);
const port = await listen(
  createServer((near) => {
    // The near side has its connection at once. Over a distance it would have waited for a round trip.
    const handshake = performance.now() + 2 * ONE_WAY_MS;
    const far = connect(exchangePort, "127.0.0.1");
    relay(near, far, handshake + ONE_WAY_MS);
    relay(far, near, handshake);
  }),
);
console.log(JSON.stringify({ baseUrl: `https://127.0.0.1:${port}`, authority: authority.cert }));
setTimeout(() => process.exit(), LIFETIME_MS);
