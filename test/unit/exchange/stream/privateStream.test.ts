import assert from "node:assert/strict";
import { NotSentError } from "../../../../src/exchange/errors.ts";
import { PrivateStream, type PrivateStreamEnd } from "../../../../src/exchange/stream/privateStream.ts";
import type { OpenSocket } from "../../../../src/exchange/stream/socket.ts";
import type { SignedHeaders } from "../../../../src/exchange/signedRequest.ts";
import { testProfile } from "../../../support/builders/client.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";

const BTC = { symbol: "THB_BTC", pair: { quote: "THB", base: "BTC" } };
const proof: SignedHeaders = { headers: { "X-SVC-SIGN": "signed" }, repeats: () => false };
const MATCH = {
  order_id: "7",
  txn_id: "1",
  symbol: "BTC_THB",
  side: "sell",
  price: "100",
  executed_amount: "1",
  received_amount: "99.75",
  total_fee: "0.25",
  txn_ts: 1_794_999_999,
};

describe("a private stream", () => {
  let timers: FakeTimers;
  let events: unknown[];
  beforeEach(() => {
    timers = new FakeTimers();
    events = [];
  });

  function connect({
    baseUrl = "https://api.example.com/prefix",
    signTime = () => Promise.resolve(proof),
    mayStillSend = (): boolean => true,
  } = {}) {
    const sent: unknown[] = [];
    let url: URL | undefined;
    let headers: Readonly<Record<string, string>> | undefined;
    let socketEvents: Parameters<OpenSocket>[1] | undefined;
    let isClosed = false;
    const stream = new PrivateStream(
      {
        profile: testProfile(baseUrl),
        path: "/v3/private",
        open: (...given) => {
          [url, socketEvents, headers] = given;
          return {
            send: (text) => void sent.push(JSON.parse(text)),
            ping: () => assert.fail("the private stream pings with messages"),
            close: () => void (isClosed = true),
          };
        },
        userAgent: "Bidside/1.2.3",
        signTime,
        after: timers.after,
        now: timers.now,
        nameOf: (symbol) => (symbol === "BTC_THB" ? BTC : undefined),
        mayStillSend,
      },
      {
        ready: () => events.push("ready"),
        order: ({ report }) => events.push(["order", report.orderId]),
        unclear: ({ symbol }) => events.push(["unclear", symbol]),
        ended: ({ reason, pauseMs }: PrivateStreamEnd) =>
          events.push(["ended", reason, ...(pauseMs === undefined ? [] : [pauseMs])]),
      },
    );
    const socket = socketEvents ?? assert.fail("no socket");
    const receive = (message: unknown): void => socket.frame(JSON.stringify(message));
    return { stream, socket, sent, receive, url, headers, isClosed: () => isClosed };
  }
  async function begin() {
    const connected = connect();
    connected.socket.opened();
    await timers.advance(0);
    connected.receive({ event: "auth", code: "200" });
    connected.receive({ event: "subscribe", channel: "order_update", code: "200" });
    connected.receive({ event: "subscribe", channel: "match_update", code: "200" });
    return connected;
  }

  it("goes to the profile's own origin, below its path, and names its program", () => {
    const { url, headers } = connect();
    assert.equal(url?.href, "wss://api.example.com/prefix/v3/private");
    assert.deepEqual(headers, { "User-Agent": "Bidside/1.2.3" });
    assert.equal(connect({ baseUrl: "http://127.0.0.1:8123" }).url?.href, "ws://127.0.0.1:8123/v3/private");
  });

  it("authenticates, then subscribes, and is ready when both are answered", async () => {
    const { socket, sent, receive } = connect();
    await timers.advance(0);
    assert.deepEqual(sent, []);
    socket.opened();
    await timers.advance(0);
    assert.deepEqual(sent, [{ event: "auth", data: { "X-SVC-SIGN": "signed" } }]);
    receive({ event: "auth", code: "200" });
    assert.deepEqual(sent.slice(1), [
      { event: "subscribe", channel: "order_update" },
      { event: "subscribe", channel: "match_update" },
    ]);
    receive({ event: "subscribe", channel: "order_update", code: "200" });
    assert.deepEqual(events, []);
    receive({ event: "subscribe", channel: "match_update", code: "200" });
    assert.deepEqual(events, ["ready"]);
  });

  it("ends if more frames arrive in a second than one account's orders can cause", async () => {
    const { receive, isClosed } = await begin();
    for (let id = 0; id < 1200; id += 1)
      receive({ event: "match_update", data: { ...MATCH, txn_id: `${id}` } });
    assert.deepEqual([events.at(-1), isClosed()], [["ended", "lost"], true]);
    assert.ok(events.length <= 1000, "nothing more is reported");
  });

  it("reports orders from then on, and nothing before", async () => {
    const { socket, receive } = connect();
    socket.opened();
    await timers.advance(0);
    receive({ event: "match_update", data: MATCH });
    assert.deepEqual(events, []);
    const { receive: sayLater } = await begin();
    sayLater({ event: "match_update", data: MATCH });
    sayLater({ event: "match_update", data: { ...MATCH, txn_id: null } });
    sayLater("nonsense");
    assert.deepEqual(events, ["ready", ["order", "7"], ["unclear", "THB_BTC"]]);
  });

  it("ends if its proof is refused, and sends nothing more", async () => {
    const { socket, sent, receive, isClosed } = connect();
    socket.opened();
    await timers.advance(0);
    receive({ event: "auth", code: "401" });
    assert.deepEqual([events, sent.length, isClosed()], [[["ended", "refused"]], 1, true]);
    receive({ event: "auth", code: "200" });
    assert.equal(sent.length, 1);
  });

  it("counts too many connections as a lost one that waits half a minute, not as a refused key", async () => {
    const { socket, receive, isClosed } = connect();
    socket.opened();
    await timers.advance(0);
    receive({ event: "auth", code: "429" });
    assert.deepEqual([events, isClosed()], [[["ended", "lost", 30_000]], true]);
  });

  it("sends nothing if there is no key, or another window reads by now", async () => {
    const noKey = connect({
      signTime: () => Promise.reject(new NotSentError("privateStream", "noCredentials", "none")),
    });
    noKey.socket.opened();
    await timers.advance(0);
    const late = connect({ mayStillSend: () => false });
    late.socket.opened();
    await timers.advance(0);
    assert.deepEqual([noKey.sent, late.sent], [[], []]);
    assert.deepEqual(events, [
      ["ended", "notSigned"],
      ["ended", "notSigned"],
    ]);
  });

  it("ends if it is not ready within 10 s", async () => {
    const { socket } = connect();
    socket.opened();
    await timers.advance(9999);
    assert.deepEqual(events, []);
    await timers.advance(1);
    assert.deepEqual(events, [["ended", "silent"]]);
  });

  it("sends a ping after 30 s of silence, and ends 10 s later without a response", async () => {
    const { sent, receive } = await begin();
    await timers.advance(29_000);
    receive({ event: "other" });
    await timers.advance(29_000);
    assert.equal(sent.length, 3);
    await timers.advance(1000);
    assert.deepEqual(sent.at(-1), { event: "ping" });
    receive({ event: "ping", data: { message: "pong" } });
    await timers.advance(39_000);
    assert.deepEqual(events, ["ready"]);
    await timers.advance(1000);
    assert.deepEqual(events, ["ready", ["ended", "silent"]]);
  });

  for (const [end, ...ended] of [
    [{ reason: "lost", detail: "closed (1006)" }, "lost"],
    [{ reason: "redirect", status: 307, detail: "HTTP 307" }, "lost"],
    [{ reason: "refused", status: 401, detail: "HTTP 401" }, "refused"],
    [{ reason: "certificate", detail: "the certificate was not verified" }, "lost"],
    [{ reason: "refused", status: 418, pauseMs: 60_000, detail: "HTTP 418" }, "lost", 60_000],
  ] as const)
    it(`ends with ${ended.join(" for ")} when its socket ends with ${end.detail}`, () => {
      const { socket } = connect();
      socket.ended(end);
      assert.deepEqual(events, [["ended", ...ended]]);
    });

  it("reports nothing after it was closed, and needs no timer", async () => {
    const { stream, socket, receive, isClosed } = await begin();
    stream.close();
    receive({ event: "match_update", data: MATCH });
    socket.ended({ reason: "lost", detail: "" });
    assert.deepEqual([events, isClosed(), timers.nextIn], [["ready"], true, undefined]);
  });
});
