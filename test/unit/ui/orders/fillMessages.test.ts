import assert from "node:assert/strict";
import type { LifeChange } from "../../../../src/desk/life/orderTracker.ts";
import { advance, type OrderReport } from "../../../../src/market/orderReport.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { loadUi, person, said } from "../../../support/fakes/vscode.ts";

const { FillMessages } = await loadUi(() => import("../../../../src/ui/orders/fillMessages.ts"));

function changeOf(orderId: string, changes: Partial<OrderReport>): LifeChange {
  const known = advance(undefined, testReport({ orderId, ...changes }));
  const name = {
    venue: "practice",
    origin: "http://127.0.0.1:1",
    ...known.pair,
    side: known.side,
    orderId,
  } as const;
  return { name, own: undefined, known, newFills: known.fills };
}

/** The messages after these changes, and the orders that were revealed. */
async function told(which: "on" | "partial" | "off", ...changes: LifeChange[]) {
  said.length = 0;
  const timers = new FakeTimers(0);
  const revealed: string[] = [];
  const messages = new FillMessages({
    timers,
    which: () => which,
    reveal: ({ orderId }) => revealed.push(orderId),
  });
  for (const change of changes) messages.add(change);
  await timers.advance(1000);
  messages.dispose();
  return { texts: said.map(({ text }) => text), revealed };
}

const PART = { status: "open", fills: [testFill("a", "4.52")] } as const;
const WHOLE = { status: "filled", fills: [testFill("a", "10", "101")] } as const;

describe("the messages about fills", () => {
  afterEach(() => (person.choose = () => undefined));

  it("tell of a part and of the whole, with exchange and rate, and without an amount", async () => {
    assert.deepEqual((await told("on", changeOf("1", PART))).texts, [
      "Ask for BTC/THB on Practice: now 45.20% filled, at 100.00 THB.",
    ]);
    assert.deepEqual((await told("on", changeOf("1", WHOLE))).texts, [
      "Ask for BTC/THB on Practice: filled at 101.00 THB.",
    ]);
  });

  it("tell the average rate of two fills with the decimals of the order's rates", async () => {
    const fills = [testFill("a", "3", "100.01"), testFill("b", "4", "100.02")];
    assert.deepEqual((await told("on", changeOf("1", { status: "open", fills }))).texts, [
      "Ask for BTC/THB on Practice: now 70.00% filled, at 100.02 THB.",
    ]);
  });

  it("tell the average rate of all fills once the order is filled", async () => {
    const last = testFill("b", "5", "102");
    const change = changeOf("1", { status: "filled", fills: [testFill("a", "5", "100"), last] });
    assert.deepEqual((await told("on", { ...change, newFills: [last] })).texts, [
      "Ask for BTC/THB on Practice: filled at 101.00 THB.",
    ]);
  });

  it("name no share of an order from elsewhere whose size nothing tells", async () => {
    const change = changeOf("1", { quantity: undefined, fills: [testFill("a", "5")] });
    assert.deepEqual((await told("on", change)).texts, [
      "Ask for BTC/THB on Practice: partly filled, at 100.00 THB.",
    ]);
  });

  it("tell only of parts, or of nothing, as the setting says", async () => {
    assert.deepEqual((await told("partial", changeOf("1", WHOLE))).texts, []);
    assert.equal((await told("partial", changeOf("1", PART))).texts.length, 1);
    assert.deepEqual((await told("off", changeOf("1", PART))).texts, []);
  });

  it("tell of nothing without a fill", async () => {
    assert.deepEqual((await told("on", changeOf("1", { status: "cancelled" }))).texts, []);
  });

  it("are one message for several orders, and show the order at the button", async () => {
    person.choose = ([button]) => button;
    const { texts, revealed } = await told("on", changeOf("1", PART), changeOf("2", WHOLE));
    assert.deepEqual(texts, ["2 orders were filled, or a part of them: BTC/THB."]);
    assert.deepEqual(revealed, ["1"]);
  });
});
