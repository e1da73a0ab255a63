import assert from "node:assert/strict";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import {
  openWebSocket,
  streamUrl,
  type StreamEnd,
  type StreamSocket,
} from "../../src/exchange/stream/socket.ts";
import { makeAuthority, makeCertificate } from "../support/servers/certificates.ts";
import { answerOf, serveHttp } from "../support/servers/loopback.ts";
import { serveStreams, type StreamServer, type StreamServing } from "../support/servers/streams.ts";
import { testProfile } from "../support/builders/client.ts";
import { waitFor } from "../support/waitFor.ts";

describe("A socket of a stream", () => {
  const releases: (() => unknown)[] = [];
  afterEach(async () => {
    for (const release of releases.splice(0)) await release();
  });

  async function serve(serving: StreamServing = {}): Promise<StreamServer> {
    const server = await serveStreams(serving);
    releases.push(() => server.close());
    return server;
  }

  function open(url: string): {
    socket: StreamSocket;
    frames: string[];
    ends: StreamEnd[];
    opened: () => number;
    pongs: () => number;
  } {
    const [frames, ends]: [string[], StreamEnd[]] = [[], []];
    let [opened, pongs] = [0, 0];
    const socket = openWebSocket(new URL(url), {
      opened: () => (opened += 1),
      frame: (text) => frames.push(text),
      pong: () => (pongs += 1),
      ended: (end) => ends.push(end),
    });
    releases.push(() => socket.close());
    return { socket, frames, ends, opened: () => opened, pongs: () => pongs };
  }

  it("asks with a ping, and hands over the answer", async () => {
    const server = await serve();
    const { socket, opened, pongs } = open(`${server.url}/names/a`);
    socket.ping();
    await waitFor("the connection", () => opened() === 1);
    socket.ping();
    await waitFor("the pong", () => pongs() === 1);
  });

  it("hands over text frames in their order, sends text, and leaves out binary frames", async () => {
    const received: string[] = [];
    const server = await serve({
      opened: (socket) => {
        socket.on("message", (data: Buffer) => received.push(data.toString()));
        socket.send("one");
        socket.send(Buffer.from("binary"));
        socket.send("two");
      },
    });
    const { socket, frames, ends } = open(`${server.url}/names/a,b`);
    await waitFor("both frames", () => frames.length === 2);
    socket.send("hello");
    await waitFor("the sent frame", () => received.length === 1);
    assert.deepEqual([frames, received, ends], [["one", "two"], ["hello"], []]);
    assert.deepEqual(server.asked, ["/names/a,b"]);
  });

  it("reports a lost connection once, and nothing after close", async () => {
    const server = await serve({ opened: (socket) => socket.send("one") });
    const [lost, closed] = [open(server.url), open(server.url)];
    await waitFor("both frames", () => lost.frames.length + closed.frames.length === 2);
    closed.socket.close();
    for (const each of server.sockets) each.terminate();
    await waitFor("the end", () => lost.ends.length > 0);
    assert.deepEqual(
      [lost.ends.map(({ reason }) => reason), closed.ends, lost.opened(), closed.opened()],
      [["lost"], [], 1, 1],
    );
  });

  it("ends at a frame of more than a megabyte, which is not handed over", async () => {
    const server = await serve({ opened: (socket) => socket.send("x".repeat(1024 * 1024 + 1)) });
    const { frames, ends } = open(server.url);
    await waitFor("the end", () => ends.length > 0);
    assert.deepEqual([frames, ends[0]?.reason], [[], "tooLarge"]);
  });

  it("refuses a redirect, and asks its target for nothing", async () => {
    const target = await serveHttp(answerOf(200, "{}"));
    releases.push(() => target.close());
    const refuse = (): string =>
      `HTTP/1.1 302 Found\r\nLocation: ${target.url}/\r\nContent-Length: 0\r\n\r\n`;
    const server = await serve({ refuse });
    const { ends, opened } = open(server.url);
    await waitFor("the end", () => ends.length > 0);
    assert.deepEqual([ends[0]?.reason, ends[0]?.status, opened()], ["redirect", 302, 0]);
    assert.deepEqual([server.asked.length, target.traffic.connections], [1, 0]);
  });

  it("reports the status of a rejection", async () => {
    const server = await serve({ refuse: () => "HTTP/1.1 414 URI Too Long\r\nContent-Length: 0\r\n\r\n" });
    const { ends } = open(server.url);
    await waitFor("the end", () => ends.length > 0);
    assert.deepEqual(ends, [{ reason: "refused", status: 414, detail: "HTTP 414" }]);
  });

  it("reports how long the host wants no other connection, half a minute at least", async () => {
    const refusals = {
      "429 Too Many Requests": 30_000,
      "418 I'm a teapot\r\nRetry-After: 3600": 3_600_000,
      "503 Service Unavailable\r\nRetry-After: Sat, 28 Nov 2026 10:05:00 GMT\r\nDate: Sat, 28 Nov 2026 10:00:00 GMT": 300_000,
      "503 Service Unavailable": undefined,
      "401 Unauthorized\r\nRetry-After: 60": undefined,
    };
    for (const [answer, pause] of Object.entries(refusals)) {
      const server = await serve({ refuse: () => `HTTP/1.1 ${answer}\r\nContent-Length: 0\r\n\r\n` });
      const { ends } = open(server.url);
      await waitFor("the end", () => ends.length > 0);
      assert.equal(ends[0]?.pauseMs, pause, answer);
    }
  });

  it("connects by plain ws to this computer only", async () => {
    const { ends } = open("ws://192.0.2.1/stream");
    await waitFor("the end", () => ends.length > 0);
    assert.equal(ends[0]?.reason, "insecure");
  });

  it("takes no certificate of an unknown authority or another host, and takes a trusted one", async () => {
    const authority = await makeAuthority();
    const defaults = getCACertificates("default");
    const selfSigned = await serve({ tls: await makeCertificate() });
    const other = await serve({ tls: await makeCertificate({ authority, host: "exchange.invalid" }) });
    const trusted = await serve({
      tls: await makeCertificate({ authority }),
      opened: (socket) => socket.send("one"),
    });
    setDefaultCACertificates([...defaults, authority.cert]);
    try {
      const [wrong, foreign, right] = [selfSigned, other, trusted].map(({ url }) => open(url));
      await waitFor("the ends", () => wrong?.ends.length === 1 && foreign?.ends.length === 1);
      await waitFor("the frame", () => right?.frames.length === 1);
      assert.deepEqual([wrong?.ends[0]?.reason, foreign?.ends[0]?.reason], ["certificate", "certificate"]);
      assert.deepEqual([selfSigned.asked, other.asked], [[], []]);
    } finally {
      setDefaultCACertificates(defaults);
    }
  });

  it("has the address of the profile, with its path prefix and the scheme of WebSockets", () => {
    const profile = testProfile("https://api.example.com/trading");
    assert.equal(streamUrl(profile, "/ws/a,b").href, "wss://api.example.com/trading/ws/a,b");
    assert.equal(streamUrl(testProfile("http://127.0.0.1:8123"), "/ws/a").href, "ws://127.0.0.1:8123/ws/a");
  });
});
