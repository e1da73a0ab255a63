import { once } from "node:events";
import {
  Agent,
  createServer,
  request as requestHttp,
  STATUS_CODES,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, text as textOf } from "node:stream/consumers";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";
import { endpointNames } from "../../../src/exchange/endpoints.ts";
import type { Decimal } from "../../../src/market/numbers/decimal.ts";
import { Exchange, type EventLog } from "../../../src/practice/account/exchange.ts";
import { practiceProfile, type PracticeProfile } from "../../../src/practice/http/profile.ts";
import { routeOf, type Api, type PracticeEndpoint, type Route } from "../../../src/practice/http/routes.ts";
import type { PracticeCredentials, SignedRequest } from "../../../src/practice/http/signatureCheck.ts";
import { createMarket, DEFAULT_SEED, type Market } from "../../../src/practice/market/market.ts";
import { startPractice, type PracticeExchange } from "../../../src/practice/http/server.ts";
import { streamAddressOf, type StreamKind } from "../../../src/practice/stream/address.ts";
import { fillOrder } from "../builders/fillOrder.ts";
import { HttpFaults, type RelayedResponse } from "./httpFaults.ts";
import { FaultyStreams, type ClientSocket, type StreamFaults } from "./streamFaults.ts";
import { defaultSwitches, offeredFeatures, SwitchedService, type Switches } from "./switches.ts";
import { systemTimers } from "../../../src/time/timers.ts";

export interface ProxiedOptions {
  readonly credentials: PracticeCredentials;
  /** The exchange's clock, ms. */
  readonly now: () => number;
  readonly api?: Api;
  readonly market?: Market;
  readonly log?: EventLog;
  readonly switches?: Partial<Switches>;
}

/** A practice exchange behind a proxy that counts requests, injects faults, and differs from it as other services do. */
export interface ProxiedPractice {
  /** The address of the proxy, without a trailing slash. */
  readonly baseUrl: string;
  /** Number of requests per endpoint, including rejected ones. */
  readonly requests: Readonly<Record<PracticeEndpoint, number>>;
  readonly faults: HttpFaults;
  readonly streams: FaultyStreams;
  readonly switches: Switches;
  /** Its profile, as switched now. */
  readonly profile: PracticeProfile;
  /** See `fillOrder` in `../builders/fillOrder.ts`. */
  fillOrder(orderId: string, amount: Decimal): boolean;
  /** Ends the exchange behind the proxy, and starts another API on the same account. */
  changeApi(api: Api): Promise<void>;
  /** Ends the exchange and the proxy. */
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const NOT_OFFERED: RelayedResponse = {
  status: 404,
  headers: { "content-type": "application/json; charset=utf-8" },
  text: '{"error":10,"message":"No such path."}',
};

/** Starts an exchange and its proxy on loopback. */
export async function startProxiedPractice(options: ProxiedOptions): Promise<ProxiedPractice> {
  const { credentials, market = createMarket(DEFAULT_SEED) } = options;
  const faults = new HttpFaults();
  const now = (): number => Math.floor(options.now()) + faults.clockSkewMs;
  const account = new Exchange(market, options.log);
  const switches: Switches = { ...defaultSwitches, ...options.switches };
  const service = new SwitchedService(switches, credentials, () => account, now);
  let api = options.api ?? "spec";
  const start = (): Promise<PracticeExchange> => startPractice({ credentials, now, account, api });
  let practice = await start();
  const requests = Object.fromEntries([...endpointNames, "reset"].map((endpoint) => [endpoint, 0])) as Record<
    PracticeEndpoint,
    number
  >;
  const streams = new FaultyStreams(systemTimers.after);
  const agent = new Agent({ keepAlive: true });
  const stopped = new AbortController();

  async function respond(incoming: IncomingMessage): Promise<RelayedResponse | undefined> {
    const { method = "", url = "", headers } = incoming;
    const request: SignedRequest = { method, path: url, headers, body: await buffer(incoming) };
    const route = routeOf(url, api);
    if (!route?.methods.some((each) => each === method))
      return await forwardTo(practice.baseUrl, request, agent);
    if (!service.offers(route.endpoint)) return NOT_OFFERED;
    requests[route.endpoint] += 1;
    return await faults.respond(route.endpoint, () => forward(request, route), stopped.signal);
  }
  async function forward(request: SignedRequest, route: Route): Promise<RelayedResponse> {
    const relayed = await forwardTo(practice.baseUrl, service.request(request, route), agent);
    return { ...relayed, text: service.response(request, route, relayed.text) };
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    respond(request).then(
      (relayed) => (relayed ? send(response, relayed) : request.socket.resetAndDestroy()),
      // The connection ended before the request did, or the exchange was closed.
      () => request.socket.destroy(),
    );
  });
  const endStreams = relayStreams(server, streams, service, () => practice.baseUrl);
  server.listen(0, HOST);
  await once(server, "listening");
  const baseUrl = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    requests,
    faults,
    streams,
    switches,
    get profile() {
      return { ...practiceProfile(baseUrl, api), features: offeredFeatures(api, switches) };
    },
    fillOrder: (orderId, amount) => fillOrder(account, orderId, amount, now()),
    changeApi: async (next) => {
      await practice.close();
      api = next;
      practice = await start();
    },
    close: async () => {
      stopped.abort();
      endStreams();
      agent.destroy();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await practice.close();
    },
  };
}

async function forwardTo(
  baseUrl: string,
  { method, path, headers, body }: SignedRequest,
  agent: Agent,
): Promise<RelayedResponse> {
  const { host, hostname, port } = new URL(baseUrl);
  const { "transfer-encoding": _, ...others } = headers;
  const outgoing = requestHttp({
    agent,
    host: hostname,
    port,
    method,
    path,
    headers: { ...others, host, "content-length": body.length },
  });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const text = await textOf(incoming);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text };
}

function send(response: ServerResponse, { status, headers, text }: RelayedResponse): void {
  const { connection: _, "keep-alive": __, ...others } = headers;
  response.writeHead(status, { ...others, "content-length": Buffer.byteLength(text) });
  response.end(text);
}

/** Relays upgrades to the exchange. The returned function terminates all streams and rejects new ones. */
function relayStreams(
  server: ReturnType<typeof createServer>,
  streams: FaultyStreams,
  service: SwitchedService,
  baseUrl: () => string,
): () => void {
  // A stalled stream does not respond.
  const clients = new WebSocketServer({ noServer: true, perMessageDeflate: false, autoPong: false });
  const upstreams = new Set<WebSocket>();
  server.on("upgrade", (request, connection, head) => {
    const refuse = (refusal: NonNullable<StreamFaults["refusal"]>): void =>
      void connection.end(refusalText(refusal), () => connection.destroy());
    connection.on("error", () => connection.destroy());
    if (streams.faults.refusal) return refuse(streams.faults.refusal);
    const { url = "", headers } = request;
    const kind = streamAddressOf(url)?.kind;
    if (kind && !service.switches.streams.includes(kind)) return refuse({ status: 404 });
    const userAgent = headers["user-agent"];
    const upstream = new WebSocket(baseUrl().replace("http", "ws") + url, {
      perMessageDeflate: false,
      headers: userAgent === undefined ? {} : { "User-Agent": userAgent },
    });
    upstreams.add(upstream);
    const abandon = (): void => upstream.terminate();
    connection.once("close", abandon);
    upstream.on("unexpected-response", (_, { statusCode = 502 }) => refuse({ status: statusCode }));
    upstream.on("error", () => connection.destroy());
    upstream.on("close", () => upstreams.delete(upstream));
    upstream.on("open", () => {
      connection.off("close", abandon);
      clients.handleUpgrade(request, connection as Duplex, head, (client) =>
        relay(client, upstream, streams, service, kind ?? "ticker"),
      );
    });
  });
  return () => {
    for (const socket of [...clients.clients, ...upstreams]) socket.terminate();
  };
}

function relay(
  client: WebSocket,
  upstream: WebSocket,
  streams: FaultyStreams,
  service: SwitchedService,
  kind: StreamKind,
): void {
  const isOpen = (): boolean => client.readyState === client.OPEN;
  const clientSocket: ClientSocket = {
    send: (data) => isOpen() && client.send(data),
    ping: () => isOpen() && client.ping(),
    close: (code) => (code === ABNORMAL ? client.terminate() : client.close(code)),
    drop: () => client.terminate(),
  };
  const events = streams.relay(kind, clientSocket, (socket) => {
    upstream.on("message", (data: Buffer) => socket.send(service.frame(data.toString("utf8"))));
    upstream.on("ping", () => socket.ping());
    upstream.on("close", (code) => socket.close(code));
    return {
      received: (text) => upstream.readyState === upstream.OPEN && upstream.send(text),
      ended: () => upstream.terminate(),
    };
  });
  client.on("message", (data: Buffer) => events.received(data.toString("utf8")));
  client.on("ping", () => streams.faults.flow !== "stalled" && isOpen() && client.pong());
  client.on("close", () => events.ended());
  client.on("error", () => client.terminate());
}

/** The close code of a connection that ended without a close frame. */
const ABNORMAL = 1006;

function refusalText({ status, location }: NonNullable<StreamFaults["refusal"]>): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...(location === undefined ? [] : [`Location: ${location}`]),
    "Content-Length: 0",
    "Connection: close",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}
