import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { StreamBench, type Frame, type HeldStream } from "../../../support/servers/practiceStream.ts";

const PRIVATE = "/v3/private";
const SYMBOL = "THB_ETH";

describe("the practice exchange's private stream", () => {
  let bench: StreamBench;
  beforeEach(() => {
    bench = new StreamBench();
  });

  const codes = (stream: HeldStream): unknown[] => stream.frames().map(({ event, code }) => [event, code]);
  function signedIn(...channels: readonly string[]): HeldStream {
    const stream = bench.open(PRIVATE);
    stream.send(bench.proof());
    for (const channel of channels) stream.send({ event: "subscribe", channel });
    return stream;
  }
  const messagesOf = (stream: HeldStream, event: string): Record<string, unknown>[] =>
    stream
      .frames()
      .flatMap((frame) => (frame["event"] === event ? [frame["data"] as Record<string, unknown>] : []));
  const bid = (rate: number, more: object = {}): Frame =>
    bench.post("/api/market/place-bid", { sym: SYMBOL, amt: 1000, rat: rate, typ: "limit", ...more });
  const idOf = (placed: Frame): string => (placed["result"] as { id: string }).id;
  const low = (): number => Math.floor(bench.market.quoteAt(SYMBOL, bench.timers.now()).last * 0.85);
  const high = (): number => Math.ceil(bench.market.quoteAt(SYMBOL, bench.timers.now()).last * 1.1);

  it("opens with a key that signed the time, and takes subscriptions", () => {
    const stream = signedIn("order_update", "match_update");
    assert.deepEqual(codes(stream), [
      ["auth", "200"],
      ["subscribe", "200"],
      ["subscribe", "200"],
    ]);
    const [auth] = stream.frames();
    assert.equal(auth?.["connection_id"], "practice-1");
    assert.equal(auth?.["timestamp"], String(bench.timers.now()));
  });

  for (const [what, message] of [
    [
      "another key",
      (bench: StreamBench) => bench.proof(undefined, { apiKey: "other", apiSecret: "test-secret" }),
    ],
    [
      "another secret",
      (bench: StreamBench) => bench.proof(undefined, { apiKey: "test-key", apiSecret: "other" }),
    ],
    ["an old time", (bench: StreamBench) => bench.proof(bench.timers.now() - 31_000)],
    ["no data", () => ({ event: "auth" })],
  ] as const)
    it(`responds 401 to ${what}, and closes`, () => {
      const stream = bench.open(PRIVATE);
      stream.send(message(bench));
      assert.deepEqual(codes(stream), [["auth", "401"]]);
      assert.equal(stream.closed, 1008);
    });

  it("has no subscription without a proven key, and no other channels", () => {
    const stream = bench.open(PRIVATE);
    stream.send({ event: "subscribe", channel: "order_update" });
    assert.deepEqual(codes(stream), [["subscribe", "401"]]);
    const proven = signedIn("secrets");
    assert.deepEqual(codes(proven).at(-1), ["subscribe", "400"]);
  });

  it("responds to pings and to unreadable messages", () => {
    const stream = signedIn();
    stream.send({ event: "ping" });
    assert.deepEqual(stream.frames().at(-1)?.["data"], { message: "pong" });
    stream.events.received("{");
    assert.deepEqual(codes(stream).at(-1), ["error", "400"]);
  });

  it("sends nothing that was not subscribed", () => {
    const stream = signedIn("match_update");
    bid(low());
    assert.equal(stream.frames().length, 2);
  });

  it("reports the order lifecycle: new, open, partly filled, filled", () => {
    const stream = signedIn("order_update", "match_update");
    const rate = low();
    const id = idOf(bid(rate, { client_id: "BSD-1" }));
    assert.equal(bench.fillOrder(id, new Decimal("400")), true);
    assert.equal(bench.fillOrder(id, new Decimal("600")), true);
    const updates = messagesOf(stream, "order_update");
    assert.deepEqual(
      updates.map(({ status }) => status),
      ["new", "open", "partial_filled", "filled"],
    );
    assert.deepEqual(updates[2], {
      order_id: id,
      client_id: "BSD-1",
      symbol: "ETH_THB",
      side: "buy",
      type: "limit",
      status: "partial_filled",
      price: String(rate),
      order_currency: "THB",
      order_amount: "1000",
      executed_currency: "THB",
      executed_amount: "400",
      received_currency: "ETH",
      received_amount: new Decimal("399")
        .div(new Decimal(String(rate)))
        .round(8, Decimal.roundDown)
        .toFixed(),
      total_fee: "1",
      credit_used: "0",
      net_fee_paid: "1",
      avg_filled_price: String(rate),
      post_only: false,
      canceled_by: null,
      order_created_at: bench.timers.now(),
      order_updated_at: bench.timers.now(),
    });
    const matches = messagesOf(stream, "match_update");
    assert.deepEqual(
      matches.map(({ txn_id: txn, executed_amount: amount, total_fee: fee }) => [txn, amount, fee]),
      [
        [`${id}-1`, "400", "1"],
        [`${id}-2`, "600", "1.5"],
      ],
    );
    assert.equal(matches[0]?.["txn_ts"], Math.floor(bench.timers.now() / 1000));
  });

  it("reports an immediate fill, a cancellation, and one after a partial fill", () => {
    const stream = signedIn("order_update", "match_update");
    bid(high());
    const cancelled = idOf(bid(low()));
    const part = idOf(bid(low()));
    bench.fillOrder(part, new Decimal("100"));
    for (const id of [cancelled, part])
      bench.post("/api/market/cancel-order", { sym: SYMBOL, id, sd: "buy" });
    assert.deepEqual(
      messagesOf(stream, "order_update").map(({ status, canceled_by: by }) => [status, by]),
      [
        ["new", null],
        ["filled", null],
        ["new", null],
        ["open", null],
        ["new", null],
        ["open", null],
        ["partial_filled", null],
        ["canceled", "user"],
        ["partial_filled_canceled", "user"],
      ],
    );
    assert.equal(messagesOf(stream, "match_update").length, 2);
  });

  it("reports a post-only order that would have been filled", () => {
    const stream = signedIn("order_update");
    bid(high(), { post_only: true });
    assert.deepEqual(
      messagesOf(stream, "order_update").map(({ status, canceled_by: by }) => [status, by]),
      [
        ["new", null],
        ["canceled", "system"],
      ],
    );
  });

  it("reports fills by the market, without a client request", async () => {
    const stream = signedIn("match_update");
    // Just below the ask: the market crosses it within minutes.
    const { bid: best } = bench.market.quoteAt(SYMBOL, bench.timers.now());
    bid(best);
    for (let minutes = 0; minutes < 60 && messagesOf(stream, "match_update").length === 0; minutes++) {
      stream.send({ event: "ping" });
      await bench.timers.advance(60_000);
    }
    assert.ok(messagesOf(stream, "match_update").length > 0);
  });

  it("has no snapshot and no replay", async () => {
    bid(low());
    const stream = signedIn("order_update", "match_update");
    await bench.timers.advance(20_000);
    assert.deepEqual(messagesOf(stream, "order_update"), []);
  });

  it("is open five times for one key, and again after one of them ended", () => {
    const open = Array.from({ length: 5 }, () => signedIn());
    const sixth = signedIn();
    assert.deepEqual([codes(sixth), sixth.closed], [[["auth", "429"]], 1008]);
    open[0]?.events.ended();
    assert.deepEqual(codes(signedIn()), [["auth", "200"]]);
  });

  it("closes after five minutes without a message from the client, and after two hours", async () => {
    const quiet = signedIn();
    await bench.timers.advance(301_000);
    assert.equal(quiet.closed, 1008);
    const busy = signedIn();
    for (let minutes = 0; minutes < 120; minutes += 4) {
      assert.equal(busy.closed, undefined);
      busy.send({ event: "ping" });
      await bench.timers.advance(240_000);
    }
    await bench.timers.advance(1000);
    assert.equal(busy.closed, 1000);
  });
});
