import assert from "node:assert/strict";
import { weighByLikeness } from "../../../../src/desk/unknown/likeEvidence.ts";
import type { OrderListing } from "../../../../src/desk/unknown/evidence.ts";
import type { Orders } from "../../../../src/desk/orders/orders.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import type { OrderIntent } from "../../../../src/storage/orders/records.ts";
import type { OwnOrder } from "../../../../src/storage/orders/order.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import { venueOf } from "../../../support/builders/orderDesk.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { FakeClient, openVenue, walletOf } from "../../../support/fakes/venue.ts";

const order = bidIntent({ amount: "1000", rate: "100", availableBefore: "5000", exchangeAt: NOON });
const row = (changes: Partial<OrderReport> = {}): OrderReport =>
  testReport({
    side: "buy",
    amount: new Decimal("1000"),
    quantity: undefined,
    status: "open",
    placedAt: NOON + 500,
    ...changes,
  });
const wallet = walletOf({ THB: "4000" });

interface Given {
  readonly open?: readonly OrderReport[];
  readonly history?: readonly OrderReport[];
  readonly listing?: Partial<OrderListing>;
  readonly own?: readonly Partial<OwnOrder>[];
  readonly known?: object;
}

async function weigh({ open = [], history = [], listing = {}, own = [], known }: Given) {
  const list = (orders: readonly OrderReport[]) => ({ orders, isWhole: true, askedAt: NOON + 5_000 });
  const orders = {
    own: [{ intent: order, state: "unknown" }, ...own],
    get: () => known,
  } as unknown as Orders;
  return weighByLikeness(
    order,
    { open: list(open), history: list(history), isComplete: true, ...listing },
    wallet,
    orders,
    venueOf(await openVenue(new FakeClient())),
  );
}

describe("an order without an answer and without a client id", () => {
  const rival = { intent: { ...order, id: "another" }, state: "unknown" } as const;
  const otherwise = (changes: Partial<OrderIntent>) => ({
    ...rival,
    intent: { ...order, id: "another", ...changes },
  });
  const matched = { status: undefined, rate: undefined, amount: undefined, placedAt: undefined } as const;
  // Bought for 997.50 with a fee of 0.25 %.
  const fill = { ...testFill("a", "9.975", "100", NOON + 700), fee: new Decimal("2.5") };

  for (const [title, given] of [
    ["is listed as open", { open: [row()] }],
    ["is listed as one that waits for nothing", { open: [row({ trigger: "none" })] }],
    ["is in the history, filled at once", { history: [row({ ...matched, fills: [fill] })] }],
    ["is in both lists", { open: [row()], history: [row({ ...matched, fills: [fill] })] }],
    ["was noticed by the tracker after it was sent", { open: [row()], known: { at: NOON + 1 } }],
    [
      "is beside an own one whose id is known",
      { open: [row()], own: [{ ...rival, state: "accepted", orderId: "6" }] },
    ],
    ["is beside an own one of another pair", { open: [row()], own: [otherwise({ symbol: "THB_ETH" })] }],
    ["is beside an own one of the other side", { open: [row()], own: [otherwise({ side: "sell" })] }],
    ["is beside an own one at another price", { open: [row()], own: [otherwise({ rate: "101" })] }],
    ["is beside an own one of another amount", { open: [row()], own: [otherwise({ amount: "999" })] }],
    ["is beside one of which no byte was sent", { open: [row()], own: [{ ...rival, state: "notSent" }] }],
    [
      "is beside one of a practice account that was reset",
      { open: [row()], own: [{ ...rival, accountResetAt: NOON }] },
    ],
    ["is beside one that was refused", { open: [row()], own: [{ ...rival, state: "rejected" }] }],
  ] as const)
    it(`was placed if the only order like it ${title}`, async () => {
      const { state, orderId } = await weigh(given);
      assert.deepEqual([state, orderId], ["accepted", "7"]);
    });

  for (const [title, given] of [
    ["no list has an order like it, although the balance fell by its amount", {}],
    ["two are like it", { open: [row(), row({ orderId: "8" })] }],
    ["one from before is like it, too", { open: [row(), row({ orderId: "8", placedAt: NOON - 600_000 })] }],
    ["the only one like it is from before", { open: [row({ placedAt: NOON - 600_000 })] }],
    ["the only one like it was seen before it was sent", { open: [row()], known: { at: NOON - 1 } }],
    ["the only one like it is another own order", { open: [row()], known: { intent: rival.intent } }],
    ["another own order may be the one", { open: [row()], own: [rival] }],
    ["another program's client id is on it", { open: [row({ clientId: "OTHER" })] }],
    ["it is a stop order", { open: [row({ trigger: new Decimal("99") })] }],
    ["it is a stop order with an unknown trigger", { open: [row({ trigger: "unknown" })] }],
    ["its price is another", { open: [row({ rate: new Decimal("101") })] }],
    ["its amount is another", { open: [row({ amount: new Decimal("999") })] }],
    ["a list could not be read", { open: [row()], listing: { isComplete: false, history: undefined } }],
  ] as const)
    it(`is left to the user if ${title}`, async () => {
      const { state, text } = await weigh(given);
      assert.equal(state, "unknown");
      assert.match(text, /THB before 5000, now 4000, difference -1000$/);
    });

  it("is judged by evidence that says how much of each list was read", async () => {
    const { text } = await weigh({ open: [row()], listing: { history: undefined } });
    const balance = "THB before 5000, now 4000, difference -1000";
    assert.equal(text, `open orders: 1; order history: not read; orders like it: 1; ${balance}`);
    const unreadable = { orders: [], isWhole: false, askedAt: NOON + 5_000 };
    assert.match(
      (await weigh({ listing: { open: unreadable } })).text,
      /^open orders: 0, not all readable; order history: 0;/,
    );
  });

  it("is searched for again after a rate limit", async () => {
    const { isRateLimited } = await weigh({ listing: { isComplete: false, isRateLimited: true } });
    assert.equal(isRateLimited, true);
  });
});
