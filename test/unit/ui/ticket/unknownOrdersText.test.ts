import assert from "node:assert/strict";
import type { SentOrder } from "../../../../src/storage/orders/order.ts";
import { bidIntent } from "../../../support/builders/bidIntent.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { unknownOrdersText } = await loadUi(() => import("../../../../src/ui/ticket/unknownOrdersText.ts"));

const NOW = new Date(2026, 10, 22, 21, 7).getTime();
const MINUTE_MS = 60_000;

function open(minutesAgo: number, amount = "5000"): SentOrder {
  const at = NOW - minutesAgo * MINUTE_MS;
  const intent = bidIntent({ at, symbol: "THB_BTC", quote: "THB", base: "BTC", amount, rate: "2950000" });
  return { intent, state: "unknown", since: at, orderId: undefined, evidence: [] };
}

describe("orders with unknown outcomes in a confirmation", () => {
  it("add no text if there are none", () => {
    assert.equal(unknownOrdersText([], NOW), "");
  });

  it("are named with their time and real figures", () => {
    const [warning, order] = unknownOrdersText([open(7)], NOW).split("\n");
    assert.match(
      warning ?? "",
      /^The outcome of an earlier order for BTC\/THB is unknown\. It may have been placed, so /,
    );
    assert.match(order ?? "", /^9:00\sPM: 5,000\.00 THB at 2,950,000\.00$/);
  });

  it("are counted if there are several: the first three are named, with a date unless it is today", () => {
    const orders = [open(1), open(2), open(24 * 60, "0.004"), open(4), open(5)];
    const [warning, ...lines] = unknownOrdersText(orders, NOW).split("\n");
    assert.match(warning ?? "", /^The outcomes of 5 earlier orders for BTC\/THB /);
    assert.equal(lines.length, 4);
    assert.match(lines[2] ?? "", /^Nov 21, 9:07\sPM: 0\.004 THB at 2,950,000\.00$/);
    assert.equal(lines[3], "2 more in Orders.");
  });
});
