import assert from "node:assert/strict";
import type { BidRecord } from "../../../src/journal/foldBids.ts";
import { testBid } from "../../support/clients.ts";
import { bidIntent } from "../../support/bidIntents.ts";
import { FakeClient, openVenue } from "../../support/fakeVenue.ts";
import { loadUi, window } from "../../support/hollowEditor.ts";

const { confirmBid } = await loadUi(() => import("../../../src/ui/confirmBid.ts"));
const { openOrdersText } = await loadUi(() => import("../../../src/ui/openOrders.ts"));

const NOW = new Date(2026, 10, 22, 21, 7).getTime();
const MINUTE_MS = 60_000;

function open(minutesAgo: number, amount = "5000"): BidRecord {
  const at = NOW - minutesAgo * MINUTE_MS;
  const intent = bidIntent({ at, symbol: "THB_BTC", quote: "THB", base: "BTC", amount, rate: "2950000" });
  return { intent, state: "unknown", since: at, orderId: undefined, evidence: [] };
}

// M9
describe("the confirmation of a bid", () => {
  const { showWarningMessage } = window;
  afterEach(() => Object.assign(window, { showWarningMessage }));

  async function detailOf(...orders: BidRecord[]): Promise<string[]> {
    let shown = "";
    Object.assign(window, {
      showWarningMessage: (_title: string, { detail }: { detail: string }) => {
        shown = detail;
        return Promise.resolve(undefined);
      },
    });
    const venue = (await openVenue(new FakeClient())).venue ?? assert.fail();
    assert.equal(await confirmBid(testBid("1000", "15000.5"), venue, orders, NOW), false);
    return shown.split("\n");
  }

  it("names an order that may be placed already before its own figures", async () => {
    const [warning, order, gap, first] = await detailOf(open(7));
    assert.match(
      warning ?? "",
      /^An earlier order for THB_BTC has no known outcome and may be placed already\./,
    );
    assert.match(order ?? "", /^9:00\sPM: 5000 THB at 2950000$/);
    assert.deepEqual([gap, first], ["", "Venue: Practice"]);
  });

  it("says nothing of other orders where none is open", async () => {
    assert.equal((await detailOf())[0], "Venue: Practice");
  });

  it("counts several, names the first three, and dates what is not of today", () => {
    const orders = [open(1), open(2), open(24 * 60, "0.004"), open(4), open(5)];
    const [warning, ...lines] = openOrdersText(orders, NOW).split("\n");
    assert.match(warning ?? "", /^5 earlier orders for THB_BTC /);
    assert.equal(lines.length, 4);
    assert.match(lines[2] ?? "", /^Nov 21, 2026, 9:07\sPM: 0\.004 THB at 2950000$/);
    assert.equal(lines[3], "And 2 more: see Orders.");
  });
});
