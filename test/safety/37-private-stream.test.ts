import assert from "node:assert/strict";
import { systemTimers } from "../../src/time/timers.ts";
import { OrderStream } from "../../src/desk/tracking/orderStream.ts";
import { Secret } from "../../src/exchange/signing/credentials.ts";
import { canary, everythingIn, findNeedle, needlesOf, secretCanary } from "../support/builders/canaries.ts";
import { testClient } from "../support/builders/client.ts";
import { openVenue } from "../support/fakes/venue.ts";
import { pick, type Random } from "../support/random.ts";
import { makeCertificate } from "../support/servers/certificates.ts";
import { serveHttp, type LoopbackServer } from "../support/servers/loopback.ts";
import { serveStreams, type StreamServer } from "../support/servers/streams.ts";
import { waitFor } from "../support/waitFor.ts";
import { safetyLine } from "./safetyLine.ts";

const PATH = "/v3/private";
const STATUSES = [300, 301, 302, 303, 304, 305, 307, 308];
const ways = ["redirect", "refusal", "echo", "another address", "breaks off", "untrusted", "usual"] as const;
type Way = (typeof ways)[number];

/** What a server that opens does with the first message. */
interface FirstMessage {
  readonly text: string;
  readonly sign: string;
  readonly apiKey: string;
}

describe("The private stream's signed message", () => {
  let other: LoopbackServer;
  beforeEach(async () => {
    other = await serveHttp((_request, response) => void response.end("{}"));
  });
  afterEach(() => other.close());

  /** A complete HTTP answer that refuses the upgrade. */
  function refusal(random: Random, way: Way): string | undefined {
    const target = pick(random, [
      `${other.url}${PATH}`,
      `${other.url.replace("http", "ws")}${PATH}`,
      `//127.0.0.1:${other.port}${PATH}`,
      "/elsewhere",
    ]);
    if (way === "redirect")
      return `HTTP/1.1 ${pick(random, STATUSES)} Moved\r\nLocation: ${target}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
    if (way !== "refusal") return undefined;
    const body = `<a href="${target}">${target}</a>`;
    const status = pick(random, [200, 400, 401, 403, 404, 414, 429, 500, 503]);
    return `HTTP/1.1 ${status} No\r\nWWW-Authenticate: Basic\r\nLocation: ${target}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  }

  /** What a hostile service says after the proof arrived. */
  function answers(random: Random, way: Way, { text, sign, apiKey }: FirstMessage): string[] {
    const echoes = [sign, apiKey, text];
    const ready = [
      { event: "auth", code: "200", message: pick(random, echoes) },
      { event: "subscribe", channel: "order_update", code: "200" },
      { event: "subscribe", channel: "match_update", code: "200" },
    ];
    const order = {
      order_id: pick(random, [sign, apiKey, `x${sign}`]).slice(0, 128),
      client_id: pick(random, [sign, apiKey, null]),
      symbol: "BTC_THB",
      side: "buy",
      status: "open",
    };
    const frames: Record<Way, unknown[]> = {
      redirect: [],
      refusal: [],
      untrusted: [],
      usual: ready,
      "breaks off": pick(random, [[], ready]),
      echo: pick(random, [
        [text],
        [{ event: "auth", code: sign, message: apiKey }],
        [...ready, { event: "order_update", data: order }, text],
        [...ready, { event: sign, data: { apiKey } }, `${sign} ${apiKey}`],
      ]),
      "another address": [
        ...pick(random, [[], ready]),
        { event: "reconnect", url: `${other.url.replace("http", "ws")}${PATH}`, location: other.url },
      ],
    };
    return frames[way].map((frame) => (typeof frame === "string" ? frame : JSON.stringify(frame)));
  }

  safetyLine(37, "Goes to its own origin only, follows no redirect, and is in no log", async (proof) => {
    const certificate = await makeCertificate();
    const counts = { messages: 0, elsewhere: 0, lines: 0, found: 0, refused: 0 };
    const rounds = await proof.each(1000, async ({ random }) => {
      const [key, secret] = [canary(random), secretCanary(random)];
      const way = pick(random, ways);
      const seen: { path: string; text: string }[] = [];
      const ask = refusal(random, way);
      const server: StreamServer = await serveStreams({
        ...(way === "untrusted" && { tls: certificate }),
        refuse: () => ask,
        opened: (socket, path) =>
          socket.on("message", (data: Buffer) => {
            const text = data.toString("utf8");
            seen.push({ path, text });
            if (seen.length > 1) return;
            const { data: sent = {} } = JSON.parse(text) as { data?: Record<string, string> };
            const first = { text, sign: sent["X-SVC-SIGN"] ?? "", apiKey: sent["X-SVC-APIKEY"] ?? "" };
            for (const frame of answers(random, way, first)) socket.send(frame);
            if (way === "breaks off") socket.close(4000, first.sign.slice(0, 100));
          }),
      });
      const logged: string[] = [];
      const events: unknown[] = [];
      const log = (message: string): void => void logged.push(message);
      const client = testClient(
        server.url.replace("ws", "http"),
        { features: { privateStream: { path: PATH } } },
        {
          credentials: () => Promise.resolve({ apiKey: new Secret(key), apiSecret: new Secret(secret) }),
          log: { debug: log, warn: log },
        },
      );
      client.adoptClock({ offset: 0, at: Date.now() });
      let isOver = false;
      const stream = new OrderStream({
        venue: await openVenue(client),
        timers: systemTimers,
        random,
        isMine: () => true,
        onDidChangeReader: () => () => undefined,
        onDidWake: () => () => undefined,
        nameOf: () => ({ symbol: "THB_BTC", pair: { quote: "THB", base: "BTC" } }),
        orders: {
          started: () => (isOver = true),
          updated: (_, event) => events.push(event),
          unclear: (named) => events.push(named),
        },
        log: (message) => {
          log(message);
          isOver = true;
        },
      });
      try {
        // An echo that proves nothing leaves the stream waiting for the proof's answer.
        await waitFor(
          "the stream started or ended, or the proof was repeated",
          () => isOver || seen.length > 0,
        );
        if (seen.length > 0)
          await waitFor("the answers were read", () => isOver || way === "echo" || way === "another address");
        await new Promise((resolve) => setImmediate(resolve));
      } finally {
        stream.dispose();
        await server.close();
      }
      const proofs = seen.filter(({ text }) => text.includes('"auth"'));
      const signs = proofs.map(
        ({ text }) => (JSON.parse(text) as { data: Record<string, string> }).data["X-SVC-SIGN"] ?? "",
      );
      const needles = needlesOf([key, secret, ...signs]);
      for (const text of [...logged, ...events.map(everythingIn)])
        if (findNeedle(text, needles) !== undefined) counts.found += 1;
      if (way === "redirect" || way === "refusal" || way === "untrusted") {
        assert.deepEqual(seen, [], `${way}: nothing is signed for it`);
        counts.refused += 1;
      } else assert.equal(proofs.length, 1, way);
      assert.ok(seen.every(({ path }) => path === PATH) && server.asked.every((path) => path === PATH));
      counts.messages += proofs.length;
      counts.elsewhere += other.traffic.connections;
      counts.lines += logged.length;
    });
    assert.deepEqual([counts.elsewhere, counts.found], [0, 0]);
    if (rounds >= 50) assert.ok(counts.messages > 0 && counts.refused > 0 && counts.lines > 0);
    return (
      `${rounds} hostile services: ${counts.messages} signed messages, each once to its own path; ` +
      `${counts.refused} redirects, refusals and untrusted certificates, 0 signed for them; ` +
      `${counts.elsewhere} connections to another origin; key, secret and signature found ${counts.found} times in ${counts.lines} log lines and order reports`
    );
  });

  it("would be seen at the other origin if anything connected there", async () => {
    await fetch(other.url);
    assert.ok(other.traffic.connections > 0);
  });
});
