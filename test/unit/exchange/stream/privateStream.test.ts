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
  let heard: unknown[];
  beforeEach(() => {
    timers = new FakeTimers();
    heard = [];
  });

  function connect({
    baseUrl = "https://api.example.com/prefix",
    signTime = () => Promise.resolve(proof),
    mayStillSend = (): boolean => true,
  } = {}) {
    const sent: unknown[] = [];
    let url: URL | undefined;
    let headers: Readonly<Record<string, string>> | undefined;
    let events: Parameters<OpenSocket>[1] | undefined;
    let isClosed = false;
    const stream = new PrivateStream(
      {
        profile: testProfile(baseUrl),
        path: "/v3/private",
        open: (...given) => {
          [url, events, headers] = given;
          return {
            send: (text) => void sent.push(JSON.parse(text)),
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
        ready: () => heard.push("ready"),
        order: ({ report }) => heard.push(["order", report.orderId]),
        unclear: ({ symbol }) => heard.push(["unclear", symbol]),
        ended: ({ reason }: PrivateStreamEnd) => heard.push(["ended", reason]),
      },
    );
    const socket = events ?? assert.fail("no socket");
    const say = (message: unknown): void => socket.frame(JSON.stringify(message));
    return { stream, socket, sent, say, url, headers, isClosed: () => isClosed };
  }
  async function begin() {
    const connected = connect();
    connected.socket.opened();
    await timers.advance(0);
    connected.say({ event: "auth", code: "200" });
    connected.say({ event: "subscribe", channel: "order_update", code: "200" });
    connected.say({ event: "subscribe", channel: "match_update", code: "200" });
    return connected;
  }

  it("goes to the profile's own origin, below its path, and names its program", () => {
    const { url, headers } = connect();
    assert.equal(url?.href, "wss://api.example.com/prefix/v3/private");
    assert.deepEqual(headers, { "User-Agent": "Bidside/1.2.3" });
    assert.equal(connect({ baseUrl: "http://127.0.0.1:8123" }).url?.href, "ws://127.0.0.1:8123/v3/private");
  });

  it("authenticates, then subscribes, and is ready when both are answered", async () => {
    const { socket, sent, say } = connect();
    await timers.advance(0);
    assert.deepEqual(sent, []);
    socket.opened();
    await timers.advance(0);
    assert.deepEqual(sent, [{ event: "auth", data: { "X-SVC-SIGN": "signed" } }]);
    say({ event: "auth", code: "200" });
    assert.deepEqual(sent.slice(1), [
      { event: "subscribe", channel: "order_update" },
      { event: "subscribe", channel: "match_update" },
    ]);
    say({ event: "subscribe", channel: "order_update", code: "200" });
    assert.deepEqual(heard, []);
    say({ event: "subscribe", channel: "match_update", code: "200" });
    assert.deepEqual(heard, ["ready"]);
  });

  it("ends if more frames arrive in a second than one account's orders can cause", async () => {
    const { say, isClosed } = await begin();
    for (let id = 0; id < 1200; id += 1) say({ event: "match_update", data: { ...MATCH, txn_id: `${id}` } });
    assert.deepEqual([heard.at(-1), isClosed()], [["ended", "lost"], true]);
    assert.ok(heard.length <= 1000, "nothing more is told");
  });

  it("reports orders from then on, and nothing before", async () => {
    const { socket, say } = connect();
    socket.opened();
    await timers.advance(0);
    say({ event: "match_update", data: MATCH });
    assert.deepEqual(heard, []);
    const { say: sayLater } = await begin();
    sayLater({ event: "match_update", data: MATCH });
    sayLater({ event: "match_update", data: { ...MATCH, txn_id: null } });
    sayLater("nonsense");
    assert.deepEqual(heard, ["ready", ["order", "7"], ["unclear", "THB_BTC"]]);
  });

  it("ends if its proof is refused, and sends nothing more", async () => {
    const { socket, sent, say, isClosed } = connect();
    socket.opened();
    await timers.advance(0);
    say({ event: "auth", code: "401" });
    assert.deepEqual([heard, sent.length, isClosed()], [[["ended", "refused"]], 1, true]);
    say({ event: "auth", code: "200" });
    assert.equal(sent.length, 1);
  });

  it("counts too many connections as a lost connection, not as a refused key", async () => {
    const { socket, say, isClosed } = connect();
    socket.opened();
    await timers.advance(0);
    say({ event: "auth", code: "429" });
    assert.deepEqual([heard, isClosed()], [[["ended", "lost"]], true]);
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
    assert.deepEqual(heard, [
      ["ended", "notSigned"],
      ["ended", "notSigned"],
    ]);
  });

  it("ends if it is not ready within 10 s", async () => {
    const { socket } = connect();
    socket.opened();
    await timers.advance(9999);
    assert.deepEqual(heard, []);
    await timers.advance(1);
    assert.deepEqual(heard, [["ended", "silent"]]);
  });

  it("asks for a sign of life after 30 s of silence, and ends 10 s later without one", async () => {
    const { sent, say } = await begin();
    await timers.advance(29_000);
    say({ event: "other" });
    await timers.advance(29_000);
    assert.equal(sent.length, 3);
    await timers.advance(1000);
    assert.deepEqual(sent.at(-1), { event: "ping" });
    say({ event: "ping", data: { message: "pong" } });
    await timers.advance(39_000);
    assert.deepEqual(heard, ["ready"]);
    await timers.advance(1000);
    assert.deepEqual(heard, ["ready", ["ended", "silent"]]);
  });

  for (const [end, reason] of [
    [{ reason: "lost", detail: "closed (1006)" }, "lost"],
    [{ reason: "redirect", status: 307, detail: "HTTP 307" }, "lost"],
    [{ reason: "refused", status: 401, detail: "HTTP 401" }, "refused"],
    [{ reason: "certificate", detail: "the certificate was not verified" }, "lost"],
  ] as const)
    it(`ends with ${reason} when its socket ends with ${end.reason}`, () => {
      const { socket } = connect();
      socket.ended(end);
      assert.deepEqual(heard, [["ended", reason]]);
    });

  it("reports nothing after it was closed, and needs no timer", async () => {
    const { stream, socket, say, isClosed } = await begin();
    stream.close();
    say({ event: "match_update", data: MATCH });
    socket.ended({ reason: "lost", detail: "" });
    assert.deepEqual([heard, isClosed(), timers.nextIn], [["ready"], true, undefined]);
  });
});
