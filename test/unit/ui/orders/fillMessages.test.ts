import assert from "node:assert/strict";
import type { OrderChange } from "../../../../src/desk/tracking/orderRecorder.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import { testFill, testKnown } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";
import type { PlacedOrder } from "../../../../src/storage/orders/order.ts";
import { accountsOf } from "../../../support/fakes/accounts.ts";

const { accountText } = await loadUi(() => import("../../../../src/ui/text/accountText.ts"));
const { AmountText } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));
const { FillMessages } = await loadUi(() => import("../../../../src/ui/orders/fillMessages.ts"));

function changeOf(orderId: string, changes: Partial<OrderReport>): OrderChange {
  const known = testKnown([{ orderId, ...changes }]);
  const name = {
    venue: "practice",
    origin: "http://127.0.0.1:1",
    ...known.pair,
    side: known.side,
    orderId,
  } as const;
  return { order: { name, known } as PlacedOrder, newFills: known.fills };
}

let areHidden = false;
/** The order whose outcome the user is looking at. */
let inView: string | undefined;

/** The messages shown for these changes, one second apart, by kind; and the orders that were revealed. */
async function messagesFor(which: "on" | "partial" | "off", ...changes: (OrderChange | OrderChange[])[]) {
  shownMessages.length = 0;
  const timers = new FakeTimers(0);
  const revealed: string[] = [];
  const messages = new FillMessages({
    timers,
    amounts: () => new AmountText(areHidden),
    which: () => which,
    reveal: ({ orderId }) => revealed.push(orderId),
    isInView: ({ orderId }) => orderId === inView,
    accountText: (name) => accountText(name, accountsOf()),
  });
  for (const change of changes) {
    for (const each of [change].flat()) messages.add(each);
    await timers.advance(1000);
  }
  messages.dispose();
  const textsOf = (wanted: string) =>
    shownMessages.filter(({ how }) => how === wanted).map(({ text }) => text);
  return { messages: textsOf("information"), statusBar: textsOf("status bar"), revealed };
}

const PART = { status: "open", fills: [testFill("a", "4.52")] } as const;
const WHOLE = { status: "filled", fills: [testFill("a", "10", "101")] } as const;

describe("the messages about fills", () => {
  afterEach(() => {
    person.choose = () => undefined;
    areHidden = false;
    inView = undefined;
  });

  it("appear once per order at its end; partial fills are in the status bar", async () => {
    const rest = { status: "filled", fills: [testFill("a", "4.52"), testFill("b", "5.48", "102")] } as const;
    const { messages, statusBar } = await messagesFor("on", changeOf("1", PART), changeOf("1", rest));
    assert.deepEqual(statusBar, [
      "Sell order for BTC/THB on Practice: now 45.2% filled, 4.52 BTC at 100.00 THB.",
    ]);
    assert.deepEqual(messages, ["Sell order for BTC/THB on Practice: filled, 10 BTC at 101.10 THB."]);
  });

  it("announce an end that is in view in the status bar, so that no notification covers it", async () => {
    inView = "1";
    const { messages, statusBar } = await messagesFor("on", [changeOf("1", WHOLE), changeOf("2", WHOLE)]);
    assert.deepEqual(statusBar, ["Sell order for BTC/THB on Practice: filled, 10 BTC at 101.00 THB."]);
    assert.equal(messages.length, 1);
    assert.deepEqual((await messagesFor("partial", changeOf("1", WHOLE))).statusBar, []);
  });

  it("announce an order's end once, even if its last fills arrive one by one", async () => {
    const { messages, statusBar } = await messagesFor("on", changeOf("1", WHOLE), changeOf("1", WHOLE));
    assert.equal(messages.length, 1);
    assert.equal(statusBar.length, 1);
  });

  it("say how an order ended that was not completely filled", async () => {
    const { messages } = await messagesFor("on", changeOf("1", { ...PART, status: "partlyFilledCancelled" }));
    assert.deepEqual(messages, [
      "Sell order for BTC/THB on Practice: 45.2% filled, then cancelled, 4.52 BTC at 100.00 THB.",
    ]);
  });

  it("give the average rate of two fills with the decimals of the order's rates", async () => {
    const fills = [testFill("a", "3", "100.01"), testFill("b", "4", "100.02")];
    assert.deepEqual((await messagesFor("on", changeOf("1", { status: "open", fills }))).statusBar, [
      "Sell order for BTC/THB on Practice: now 70.0% filled, 7 BTC at 100.02 THB.",
    ]);
  });

  it("never round a filled share up to the whole, or down to nothing", async () => {
    const shares = ["9.9999", "0.001"].map((filled) =>
      changeOf(filled, { status: "open", fills: [testFill("a", filled)] }),
    );
    assert.deepEqual((await messagesFor("on", ...shares)).statusBar, [
      "Sell order for BTC/THB on Practice: now 99.9% filled, 9.9999 BTC at 100.00 THB.",
      "Sell order for BTC/THB on Practice: now <0.1% filled, 0.001 BTC at 100.00 THB.",
    ]);
  });

  it("name no share of an order placed elsewhere with an unknown size", async () => {
    const change = changeOf("1", { quantity: undefined, fills: [testFill("a", "5")] });
    assert.deepEqual((await messagesFor("on", change)).statusBar, [
      "Sell order for BTC/THB on Practice: partly filled, 5 BTC at 100.00 THB.",
    ]);
  });

  it("give the quantity of the new fills, and hide it in privacy mode", async () => {
    const fills = [testFill("a", "3"), testFill("b", "4")];
    const change = { ...changeOf("1", { status: "open", fills }), newFills: fills.slice(1) };
    areHidden = true;
    const { statusBar } = await messagesFor("on", change);
    areHidden = false;
    assert.deepEqual(
      [...statusBar, ...(await messagesFor("on", change)).statusBar],
      [
        "Sell order for BTC/THB on Practice: now 70.0% filled, ••• BTC at 100.00 THB.",
        "Sell order for BTC/THB on Practice: now 70.0% filled, 4 BTC at 100.00 THB.",
      ],
    );
  });

  it("are limited to partial fills or turned off by the setting", async () => {
    const partial = await messagesFor("partial", changeOf("1", PART), changeOf("2", WHOLE));
    assert.deepEqual([partial.messages.length, partial.statusBar.length], [0, 1]);
    const off = await messagesFor("off", changeOf("1", PART), changeOf("2", WHOLE));
    assert.deepEqual([off.messages, off.statusBar], [[], []]);
  });

  it("are one message for several orders that end together, and show the order at the button", async () => {
    person.choose = ([button]) => button;
    const { messages, revealed } = await messagesFor("on", [changeOf("1", WHOLE), changeOf("2", WHOLE)]);
    assert.deepEqual(messages, ["2 orders were filled or partly filled: BTC/THB."]);
    assert.deepEqual(revealed, ["1"]);
  });
});
