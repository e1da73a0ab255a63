import assert from "node:assert/strict";
import { createServer as createHttpServer, get as getHttp, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { OrderConnection, ExchangeClient } from "../../src/exchange/client.ts";
import { testBid, testClient, timeFrom, endpointsAt } from "../support/builders/client.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { makeAuthority, makeCertificate, type Certificate } from "../support/servers/certificates.ts";
import { waitFor } from "../support/waitFor.ts";

/** A connection as the server saw it. */
interface SeenConnection {
  /** Carries plain text within TLS, or the bytes themselves for plain http. */
  readonly socket: Socket;
  /** The TCP connection. */
  readonly transport: Socket;
  /** Request lines. */
  readonly requests: string[];
  isClosed: boolean;
}

/** An exchange that records each connection and can misbehave on it; TLS if it has a certificate. */
async function serve(certificate?: Certificate) {
  /** In the order in which the handshakes completed. */
  const connections: SeenConnection[] = [];
  const listener: RequestListener = (request, response) => {
    const { socket } = request;
    connections.find((each) => each.socket === socket)?.requests.push(`${request.method} ${request.url}`);
    request.resume().on("end", () => {
      const isTime = request.url?.includes("time") ?? false;
      response.end(isTime ? String(Date.now()) : '{"error":0,"result":{"id":"1"}}');
    });
  };
  const server = certificate ? createHttpsServer(certificate, listener) : createHttpServer(listener);
  let opened = 0;
  const transports = new Map<number | undefined, Socket>();
  server.on("connection", (transport: Socket) => {
    opened += 1;
    transports.set(transport.remotePort, transport);
  });
  server.on(certificate ? "secureConnection" : "connection", (socket: Socket) => {
    const transport = transports.get(socket.remotePort) ?? socket;
    const seen: SeenConnection = { socket, transport, requests: [], isClosed: false };
    connections.push(seen);
    socket.on("error", () => undefined).on("close", () => (seen.isClosed = true));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A connection left open by a failed test must not keep the process alive.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certificate ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    connections,
    /** Connections accepted by the server, whatever the result of the handshake. */
    opened: () => opened,
    orders: () => connections.flatMap(({ requests }) => requests.filter((line) => line.startsWith("POST"))),
    close: () => {
      for (const { socket } of connections) socket.destroy();
      server.close();
    },
  };
}

type TestServer = Awaited<ReturnType<typeof serve>>;

/** What a server may do to a connection before a request arrives. */
const firstWords: Readonly<Record<string, (socket: Socket, transport: Socket) => void>> = {
  "with a whole answer": (socket) =>
    void socket.write("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"),
  "with an acceptance": (socket) =>
    void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n{"error":0,"result":{"id":"9"}}'),
  "with the beginning of an answer": (socket) => void socket.write("HTTP/1.1 200 OK\r\n"),
  "with one byte": (socket) => void socket.write("H"),
  "with an informational answer": (socket) => void socket.write("HTTP/1.1 100 Continue\r\n\r\n"),
  "with text that is not HTTP": (socket) => void socket.write("220 ready\r\n"),
  "by ending it": (socket) => void socket.end(),
  "by destroying it": (socket) => void socket.destroy(),
  "by resetting it": (_socket, transport) => void transport.resetAndDestroy(),
};

describe("the connection of an order", () => {
  const defaults = getCACertificates("default");
  let certificate: Certificate;
  let server: TestServer;
  let timers: FakeTimers;
  let client: ExchangeClient;
  let prepared: OrderConnection | undefined;

  before(async () => {
    const authority = await makeAuthority();
    setDefaultCACertificates([...defaults, authority.cert]);
    certificate = await makeCertificate({ authority });
  });
  after(() => setDefaultCACertificates(defaults));
  afterEach(() => {
    prepared?.close();
    server.close();
  });

  /** Opens the server, and a client with a measured clock that has used one connection. */
  async function open(scheme: "http" | "https", timeoutMs = 2000): Promise<void> {
    server = await serve(scheme === "https" ? certificate : undefined);
    timers = new FakeTimers(Date.now());
    client = testClient(server.url, {}, { now: timers.now, after: timers.after, timeoutMs });
    await client.measureClock();
  }

  /** Opens a confirmation dialog, and waits for its connection. */
  async function prepare(): Promise<SeenConnection> {
    const before = server.connections.length;
    prepared = client.prepareOrder("buy");
    return await nth(before);
  }

  async function nth(index: number): Promise<SeenConnection> {
    const seen = await waitFor(`connection ${index}`, () => server.connections[index]);
    // Lets the client observe the end of the handshake as well.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return seen;
  }

  const place = (): Promise<unknown> => client.placeOrder(testBid(), undefined, prepared);

  for (const scheme of ["http", "https"] as const) {
    describe(`over ${scheme}`, () => {
      it("is the connection opened during the confirmation, without any earlier bytes", async () => {
        await open(scheme);
        const seen = await prepare();
        assert.deepEqual([seen.socket.bytesRead, seen.requests], [0, []]);
        assert.deepEqual(await place(), { orderId: "1" });
        assert.deepEqual(seen.requests, ["POST /api/market/place-bid"]);
        assert.equal(server.opened(), 2);
      });

      it("is waited for if it is still being opened when the order is confirmed", async () => {
        await open(scheme);
        prepared = client.prepareOrder("buy");
        assert.deepEqual(await place(), { orderId: "1" });
        assert.deepEqual([server.opened(), server.orders().length], [2, 1]);
      });

      for (const [how, act] of Object.entries(firstWords)) {
        it(`is replaced if the server sent data first, ${how}`, async () => {
          await open(scheme);
          const spoken = await prepare();
          act(spoken.socket, spoken.transport);
          assert.deepEqual(await place(), { orderId: "1" });
          assert.deepEqual([spoken.requests, server.orders().length], [[], 1]);
          await waitFor("its end", () => spoken.isClosed);
        });
      }

      it("is replaced at the age of 8 s at the latest, and then closed", async () => {
        await open(scheme);
        const first = await prepare();
        await timers.advance(5999);
        assert.equal(server.opened(), 2);
        await timers.advance(1);
        const second = await nth(2);
        await waitFor("the end of the first connection", () => first.isClosed);
        assert.deepEqual(await place(), { orderId: "1" });
        assert.deepEqual([second.requests.length, server.opened()], [1, 3]);
      });

      it("is neither older than 8 s nor from the future, also after a sleep without timers", async () => {
        for (const ms of [8000, 3_600_000, -1]) {
          await open(scheme);
          const old = await prepare();
          timers.sleep(ms);
          assert.deepEqual(await place(), { orderId: "1" });
          assert.deepEqual([old.requests, server.orders().length], [[], 1], String(ms));
          server.close();
        }
        await open(scheme);
        const young = await prepare();
        timers.sleep(7999);
        await place();
        assert.equal(young.requests.length, 1);
      });

      it("is closed when the confirmation is declined, and no other connection is opened", async () => {
        await open(scheme);
        const seen = await prepare();
        prepared?.close();
        await waitFor("its end", () => seen.isClosed);
        await timers.advance(60_000);
        assert.equal(server.opened(), 2);
        assert.deepEqual([seen.socket.bytesRead, server.orders()], [0, []]);
      });

      it("is opened on the click if the confirmation stays open for more than two minutes", async () => {
        await open(scheme);
        await prepare();
        for (let renewal = 1; renewal <= 20; renewal += 1) {
          await timers.advance(6000);
          await nth(1 + renewal);
        }
        await timers.advance(3_600_000);
        assert.equal(server.opened(), 22);
        await waitFor("the end of all", () => server.connections.every(({ isClosed }) => isClosed));
        assert.equal(timers.nextIn, undefined);
        await client.measureClock();
        assert.deepEqual(await place(), { orderId: "1" });
        assert.equal(server.opened(), 24);
      });

      it("carries one order at most, also if it is used several times", async () => {
        await open(scheme);
        await prepare();
        await Promise.all([place(), place(), place()]);
        await place();
        assert.equal(server.orders().length, 4);
        for (const { requests } of server.connections) assert.ok(requests.length <= 1);
      });

      it("carries only the order for which it was opened, and nothing to another path", async () => {
        await open(scheme);
        const seen = await prepare();
        const elsewhere = testClient(
          server.url,
          { endpoints: endpointsAt({ placeBid: "/other" }) },
          { now: timers.now },
        );
        await elsewhere.placeOrder(testBid(), undefined, prepared);
        assert.deepEqual(seen.requests, []);
        assert.deepEqual(server.orders(), ["POST /other"]);
      });

      it("is not written to after the order lost its permission", async () => {
        await open(scheme);
        const seen = await prepare();
        await assert.rejects(
          client.placeOrder(testBid(), () => false, prepared),
          { kind: "notSent", reason: "tooLate" },
        );
        await waitFor("its end", () => seen.isClosed);
        assert.deepEqual([seen.socket.bytesRead, server.orders()], [0, []]);
      });

      it("leaves an order unknown if it ended during the writing", async () => {
        await open(scheme);
        const seen = await prepare();
        seen.socket.once("data", () => seen.socket.destroy());
        await assert.rejects(place(), { kind: "noAnswer", provesNothingHappened: false });
        assert.equal(server.opened(), 2, "the order is not sent again");
      });
    });
  }

  it("is never a connection that another request has used, also over plain http", async () => {
    await open("http");
    let isReusable = false;
    getHttp(
      `${server.url}/elsewhere`,
      (response) => void response.resume().on("end", () => (isReusable = true)),
    );
    await waitFor("a reusable connection", () => isReusable);
    await place();
    const [, elsewhere] = server.connections;
    assert.deepEqual(elsewhere?.requests, ["GET /elsewhere"]);
    assert.equal(server.orders().length, 1);
  });

  it("with an untrusted certificate is an error on the confirmation, and no byte is sent", async () => {
    server = await serve(await makeCertificate());
    const time = await serve();
    try {
      client = testClient(server.url, {}, { transport: timeFrom(time.url) });
      prepared = client.prepareOrder("buy");
      await waitFor("the handshake to fail", () => server.opened() === 1);
      const refused = { kind: "notSent", reason: "certificate" };
      await assert.rejects(place(), refused);
      await assert.rejects(place(), refused);
      assert.deepEqual(server.orders(), []);
      for (const { socket } of server.connections) assert.equal(socket.bytesRead, 0);
    } finally {
      time.close();
    }
  });
});
