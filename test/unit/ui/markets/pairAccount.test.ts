import assert from "node:assert/strict";
import { heldElsewhere } from "../../../support/builders/heldElsewhere.ts";
import { testReport } from "../../../support/builders/reports.ts";
import { liveAt, openTestDesk, readAll } from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../../../support/fakes/venue.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { pairAccountRows } = await loadUi(() => import("../../../../src/ui/markets/pairAccount.ts"));
const { AmountText } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));

describe("what the account has in a pair", () => {
  it("is its balance with the value, and its open orders, without figures in privacy mode", async () => {
    const client = new FakeClient();
    const timers = new FakeTimers();
    const btc = tickerOf("THB_BTC", { last: 3_000_000 });
    client.tickersAnswer = async () => snapshotOf(btc, tickerOf("THB_ETH"));
    client.walletAnswer = async () => walletOf({ THB: "100", BTC: "0.5" });
    client.capabilities = {
      openOrders: async () => ({
        orders: [testReport({ status: "open", askedAt: timers.now() })],
        unreadable: [],
      }),
    };
    const storage = temporaryFolder();
    const desk = await openTestDesk({ ...liveAt("https://api.example.com"), client, storage, timers });
    await readAll(desk);
    desk.visibleOrders.set({}, ["THB_BTC"]);
    await timers.advance(5000);
    const shown = pairAccountRows(btc, desk, new AmountText(false));
    assert.deepEqual(shown[0], ["Your balance", "0.5 BTC · 1,500,000.00 THB"]);
    assert.match(shown[1]?.join(": ") ?? "", /^Open order: Sell [\d.]+ @ [\d,.]+$/);
    const hidden = pairAccountRows(btc, desk, new AmountText(true)).map(([, value]) => value);
    assert.equal(hidden[0], "••• BTC · ••• THB");
    assert.match(hidden[1] ?? "", /^Sell ••• @ /);
    const rowsOfEth = () => pairAccountRows(tickerOf("THB_ETH"), desk, new AmountText(false));
    assert.deepEqual(rowsOfEth(), []);
    desk.elsewhere.put(heldElsewhere({ venue: "live", asset: "ETH", cost: ["THB", "90000"] }));
    assert.deepEqual(rowsOfEth(), [["Average cost", "90,000.00"]]);
    desk.dispose();
  });
});
