import assert from "node:assert/strict";
import { settingKeys } from "../../../../src/contributions.ts";
import { openTestDesk, unattended } from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf } from "../../../support/fakes/venue.ts";
import {
  bringToFront,
  changeSetting,
  loadUi,
  shownMessages,
  userSettings,
  WindowParts,
} from "../../../support/fakes/vscode.ts";
import { favouritesOf, memoryOf } from "../../../support/fakes/watchLists.ts";

const { PinnedTickers } = await loadUi(() => import("../../../../src/ui/markets/pinnedTickers.ts"));
const { showBalanceItem } = await loadUi(() => import("../../../../src/ui/wallet/balanceItem.ts"));
const { shownAmounts } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));

/** The texts of the items on screen of a window with one pinned pair. */
async function statusBar(pinned = "THB_BTC") {
  const parts = new WindowParts();
  bringToFront(parts);
  const client = new FakeClient();
  client.tickersAnswer = async () => snapshotOf(tickerOf("THB_BTC", { last: 5, percentChange: 0 }));
  const watchLists = memoryOf(favouritesOf([], { pinned: [pinned] }));
  const desk = await openTestDesk({ client, timers: new FakeTimers(), window: unattended, watchLists });
  await desk.tickers.refresh();
  const shown = [new PinnedTickers(desk, desk.watchLists), showBalanceItem(desk)];
  return {
    desk,
    texts: () => parts.statusItems.filter(({ isShown }) => isShown).map(({ text }) => text),
    close: () => {
      for (const each of shown) each.dispose();
      desk.dispose();
    },
  };
}

describe("the status bar", () => {
  beforeEach(() => void (shownMessages.length = 0));
  afterEach(() => userSettings.clear());

  it("has no item of Bidside, and no view has an amount, while all is hidden", async () => {
    const { desk, texts, close } = await statusBar();
    assert.deepEqual(texts(), ["BTC 5.00 0.00%", "$(beaker) Practice"]);
    changeSetting(settingKeys.hideStatusBar, true);
    assert.deepEqual(texts(), []);
    assert.ok(shownAmounts().areHidden);
    assert.ok(!desk.tickers.demand.areVisible, "no price is polled for a hidden item");
    changeSetting(settingKeys.hideStatusBar, false);
    assert.deepEqual(texts().sort(), ["$(beaker) Practice", "BTC 5.00 0.00%"]);
    close();
  });

  it("shows a pair that was pinned by its mirrored name", async () => {
    const { texts, close } = await statusBar("BTC_THB");
    assert.ok(texts().includes("BTC 5.00 0.00%"), texts().join());
    close();
  });

  it("follows the user's text, and says once why a text cannot be used", async () => {
    const { texts, close } = await statusBar();
    changeSetting(settingKeys.pairFormat, "${quote} ${last}");
    assert.equal(texts()[0], "THB 5.00");
    assert.deepEqual(shownMessages, []);
    changeSetting(settingKeys.pairFormat, "${price}");
    assert.equal(texts()[0], "BTC 5.00 0.00%");
    const said = shownMessages.map(({ text }) => text);
    assert.match(said.join("\n"), /^[^\n]*There is no value \$\{price\}[^\n]*$/);
    close();
  });
});
