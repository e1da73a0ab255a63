import assert from "node:assert/strict";
import { clientIdFor } from "../../../../src/desk/orders/clientId.ts";
import type { OrderListing } from "../../../../src/desk/unknown/evidence.ts";
import { weighById } from "../../../../src/desk/unknown/idEvidence.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { walletOf } from "../../../support/fakes/venue.ts";

const SENT = 1_000_000;
const order = {
  side: "buy",
  quote: "THB",
  base: "BTC",
  amount: "1000",
  availableBefore: "5000",
  reservedBefore: "0",
  clientId: "BSD-1",
  at: SENT,
} as const;
const later = SENT + 30_000 + 10_000;
const list = (...clientIds: string[]) => ({
  orders: clientIds.map((clientId, index) => testReport({ orderId: String(index), clientId })),
  isWhole: true,
  askedAt: later,
});
/** A buy in a history, which gives only the times of the matches. */
const matched = (...times: readonly number[]) =>
  testReport({ side: "buy", fills: times.map((at, index) => testFill(String(index), "1", "100", at)) });
const absent: Omit<OrderListing, "isComplete"> = { open: list("OTHER"), history: list() };
const wallet = walletOf({ THB: "5000" });
const time = { windowMs: 30_000, offsetMs: 0 };

describe("the evidence of a client id", () => {
  it("is proof in a row of the open orders, whatever the balance", () => {
    const found = weighById(order, { open: list("OTHER", "BSD-1"), history: undefined }, walletOf({}), time);
    assert.deepEqual([found.state, found.orderId], ["accepted", "1"]);
    assert.match(found.text, /open orders/);
  });

  it("is proof in a row of the order history", () => {
    const found = weighById(order, { open: list(), history: list("BSD-1") }, wallet, time);
    assert.deepEqual([found.state, found.orderId], ["accepted", "0"]);
    assert.match(found.text, /order history/);
  });

  it("rules the order out once the exchange refuses the request, and nothing has changed", () => {
    assert.equal(weighById(order, absent, wallet, time).state, "notPlaced");
  });

  it("rules the order out a little later on an exchange whose clock is behind", () => {
    const listing = {
      open: { ...list(), askedAt: later + 5000 },
      history: { ...list(), askedAt: later + 5000 },
    };
    assert.equal(weighById(order, listing, wallet, { windowMs: 30_000, offsetMs: -5000 }).state, "notPlaced");
  });

  const cases: readonly (readonly [string, ...Partial<Parameters<typeof weighById>>])[] = [
    ["no stated time of the exchange", order, absent, wallet, { windowMs: undefined, offsetMs: 0 }],
    [
      "a clock that is off by more than the time since",
      order,
      absent,
      wallet,
      { windowMs: 30_000, offsetMs: -1 },
    ],
    ["no open orders", order, { ...absent, open: undefined }, wallet, time],
    ["no order history", order, { ...absent, history: undefined }, wallet, time],
    ["a row that was left out", order, { ...absent, open: { ...list(), isWhole: false } }, wallet, time],
    [
      "a history that was read too early",
      order,
      { ...absent, history: { ...list(), askedAt: later - 1 } },
      wallet,
      time,
    ],
    [
      "a row without a client id that may be the order",
      order,
      { ...absent, history: { ...list(), orders: [testReport({ side: "buy", placedAt: SENT })] } },
      wallet,
      time,
    ],
    [
      "a row without a client id on an exchange whose clock is behind",
      order,
      {
        open: { ...list(), askedAt: later + 60_000 },
        history: {
          ...list(),
          askedAt: later + 60_000,
          orders: [testReport({ side: "buy", placedAt: SENT - 60_000 - 10_000 })],
        },
      },
      wallet,
      { windowMs: 30_000, offsetMs: -60_000 },
    ],
    [
      "a row without a client id or a time",
      order,
      { ...absent, open: { ...list(), orders: [testReport({ side: "buy" })] } },
      wallet,
      time,
    ],
    [
      "a row without a client id of which one match is not older",
      order,
      { ...absent, history: { ...list(), orders: [matched(SENT - 10_001, SENT - 10_000)] } },
      wallet,
      time,
    ],
    [
      "a row without a client id from before the clock was set back",
      { ...order, exchangeAt: SENT - 60_000 },
      { ...absent, history: { ...list(), orders: [testReport({ side: "buy", placedAt: SENT - 70_000 })] } },
      wallet,
      time,
    ],
    [
      "a clock that was behind and was set forward, so that the order looks older than it is",
      { ...order, exchangeAt: SENT + 1 },
      absent,
      wallet,
      time,
    ],
    [
      "a row without a client id that a clock ahead dates before the order",
      order,
      {
        open: { ...list(), askedAt: later + 5000 },
        history: {
          ...list(),
          askedAt: later + 5000,
          orders: [testReport({ side: "buy", placedAt: SENT - 12_000 })],
        },
      },
      wallet,
      { windowMs: 30_000, offsetMs: 5000 },
    ],
    [
      "a clock behind that was set since, so that the request is still accepted",
      { ...order, exchangeAt: SENT + 1 },
      { open: { ...list(), askedAt: later + 5000 }, history: { ...list(), askedAt: later + 5000 } },
      wallet,
      { windowMs: 30_000, offsetMs: -5000 },
    ],
    ["another available balance", order, absent, walletOf({ THB: "4000" }), time],
    ["an unreadable balance", order, absent, walletOf({ THB: "unreadable" }), time],
    ["another reserved balance", { ...order, reservedBefore: "1" }, absent, wallet, time],
    ["an unknown reserved balance", { ...order, reservedBefore: undefined }, absent, wallet, time],
    ["an unknown balance before the order", { ...order, availableBefore: undefined }, absent, wallet, time],
  ];
  for (const [reason, ...given] of cases) {
    it(`proves nothing with ${reason}`, () => {
      const found = weighById(...(given as Parameters<typeof weighById>));
      assert.deepEqual([found.state, found.orderId], ["unknown", undefined]);
    });
  }

  it("ignores rows without a client id that are older, or of the other side, and rows with another client id", () => {
    for (const row of [
      testReport({ side: "buy", placedAt: SENT - 10_001 }),
      matched(SENT - 10_002, SENT - 10_001),
      testReport({ side: "sell" }),
      testReport({ side: "buy", placedAt: SENT, clientId: "OTHER" }),
    ]) {
      const history = { ...list(), orders: [row] };
      assert.equal(weighById(order, { ...absent, history }, wallet, time).state, "notPlaced");
    }
  });

  it("lists what was checked", () => {
    const listing = { open: { ...list("OTHER"), isWhole: false }, history: undefined };
    const { text, now } = weighById(order, listing, walletOf({ THB: "4000" }), time);
    assert.equal(
      text,
      "open orders: 1 without its client id, not all readable; order history: not read; THB before 5000, now 4000",
    );
    assert.equal(now, "4000");
    const nothing = weighById({ ...order, availableBefore: undefined }, absent, walletOf({}), time);
    assert.match(nothing.text, /; THB before unknown, now unknown$/);
    assert.equal(
      weighById(order, absent, wallet, time).text,
      "open orders: 1 without its client id; order history: 0 without its client id; THB unchanged; " +
        "the exchange refuses a request as old as this, so no such order is open or filled",
    );
  });
});

describe("a client id", () => {
  it("has a fixed tag and at most 32 characters, and differs for each order", () => {
    const ids = ["00000000-0000-4000-8000-000000000001", "ffffffff-ffff-ffff-ffff-ffffffffffff"].map(
      clientIdFor,
    );
    for (const id of ids) assert.match(id, /^BSD-[A-Z0-9]{25}$/);
    assert.equal(new Set(ids).size, 2);
  });
});
