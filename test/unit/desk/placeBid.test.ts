import assert from "node:assert/strict";
import { BidDesk, type BidOutcome } from "../../../src/desk/placeBid.ts";
import {
  NoAnswerError,
  NotSentError,
  RefusedError,
  UnreadableAnswerError,
} from "../../../src/exchange/errors.ts";
import { Decimal, plainText } from "../../../src/market/decimal.ts";
import { usualRules, type LimitBid } from "../../../src/market/order.ts";
import { FakeClient, openVenue, tickerOf } from "../../support/fakeVenue.ts";

const draft = { symbol: "THB_BTC", amount: "1000", rate: "100.5" };

async function deskOf(confirm: (bid: LimitBid) => Promise<boolean> = () => Promise.resolve(true)) {
  const client = new FakeClient();
  const venue = await openVenue(client);
  const seen = { afterSending: 0 };
  const desk = new BidDesk({
    rules: usualRules,
    venue: () => venue.venue,
    ticker: (symbol) => (symbol === "THB_BTC" ? tickerOf(symbol) : undefined),
    available: () => new Decimal("5000"),
    confirm,
    afterSending: () => (seen.afterSending += 1),
  });
  return { desk, client, venue, seen };
}

async function outcomeOf(error: unknown): Promise<{ outcome: BidOutcome; sent: number }> {
  const { desk, client } = await deskOf();
  client.bidAnswer = () => Promise.reject(error);
  return { outcome: await desk.place(draft), sent: client.calls.placeBid };
}

describe("placing a bid", () => {
  it("sends what was confirmed, once, and tells that the balance may have changed", async () => {
    const confirmed: LimitBid[] = [];
    const { desk, client, seen } = await deskOf(async (bid) => confirmed.push(bid) > 0);
    const sent: LimitBid[] = [];
    client.bidAnswer = async (bid) => {
      sent.push(bid);
      return { orderId: "77" };
    };
    const outcome = await desk.place(draft);
    assert.equal(outcome.kind, "accepted");
    assert.deepEqual(sent, confirmed);
    assert.equal(plainText(sent[0]?.quantity ?? assert.fail()), "9.92537313");
    assert.equal(seen.afterSending, 1);
  });

  it("sends nothing without the confirmation", async () => {
    const { desk, client, seen } = await deskOf(() => Promise.resolve(false));
    assert.deepEqual(await desk.place(draft), { kind: "cancelled" });
    assert.equal(client.calls.placeBid, 0);
    assert.equal(seen.afterSending, 0);
  });

  it("asks nobody to confirm what cannot be sent", async () => {
    const { desk } = await deskOf(() => assert.fail("asked"));
    const outcome = await desk.place({ symbol: "THB_BTC", amount: "6000", rate: "1,5" });
    assert.deepEqual(outcome.kind === "invalid" && outcome.problems.map(({ field, code }) => [field, code]), [
      ["amount", "aboveAvailable"],
      ["rate", "notDecimal"],
    ]);
  });

  it("takes one bid at a time, however often it is asked", async () => {
    let confirm: (answer: boolean) => void = () => assert.fail();
    const { desk, client } = await deskOf(() => new Promise((resolve) => (confirm = resolve)));
    const first = desk.place(draft);
    assert.deepEqual(await desk.place(draft), { kind: "busy" });
    confirm(true);
    assert.equal((await first).kind, "accepted");
    assert.equal(client.calls.placeBid, 1);
    const next = desk.place(draft);
    confirm(false);
    assert.equal((await next).kind, "cancelled");
  });

  it("sends nothing when the venue changed during the confirmation", async () => {
    const parts = await deskOf(async () => {
      await parts.venue.select("live");
      return true;
    });
    assert.deepEqual(await parts.desk.place(draft), { kind: "venueChanged" });
    assert.equal(parts.client.calls.placeBid, 0);
  });

  it("has no place to send to while no venue is open", async () => {
    const { client } = await deskOf();
    const desk = new BidDesk({
      rules: usualRules,
      venue: () => undefined,
      ticker: () => undefined,
      available: () => undefined,
      confirm: () => assert.fail("asked"),
      afterSending: () => assert.fail("told"),
    });
    assert.deepEqual(await desk.place(draft), { kind: "noVenue" });
    assert.equal(client.calls.placeBid, 0);
  });

  it("is rejected only by an answer that proves it", async () => {
    const { outcome, sent } = await outcomeOf(new RefusedError("placeBid", { code: 18, httpStatus: 200 }));
    assert.equal(outcome.kind, "rejected");
    assert.equal(sent, 1);
  });

  it("is not sent when no byte left", async () => {
    assert.equal(
      (await outcomeOf(new NotSentError("placeBid", "unreachable", "refused"))).outcome.kind,
      "notSent",
    );
  });

  const doubtful: [string, unknown][] = [
    ["no answer in time", new NoAnswerError("placeBid", "timeout", "10 s")],
    ["a lost connection", new NoAnswerError("placeBid", "connectionLost", "reset")],
    ["an error page", new UnreadableAnswerError("placeBid", "httpStatus", 502, "HTML")],
    ["a redirect", new UnreadableAnswerError("placeBid", "redirect", 307, "")],
    ["error 19", new RefusedError("placeBid", { code: 19, httpStatus: 200 })],
    ["error 90", new RefusedError("placeBid", { code: 90, httpStatus: 200 })],
    ["an undocumented code", new RefusedError("placeBid", { code: 4711, httpStatus: 200 })],
    ["a text code", new RefusedError("placeBid", { code: "V1007-CW", httpStatus: 400 })],
    ["a failure nobody foresaw", new TypeError("boom")],
  ];
  for (const [what, error] of doubtful) {
    it(`is unknown after ${what}, and is not sent again`, async () => {
      const { outcome, sent } = await outcomeOf(error);
      assert.equal(outcome.kind, "unknown");
      assert.equal(sent, 1);
    });
  }
});
