import assert from "node:assert/strict";
import { settingKeys } from "../../../../src/contributions.ts";
import type { Desk } from "../../../../src/desk/desk.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi, shownMessages, typed, userSettings } from "../../../support/fakes/vscode.ts";
import { favouritesOf } from "../../../support/fakes/watchLists.ts";

const { editStatusBarText, pairText } = await loadUi(
  () => import("../../../../src/ui/markets/statusBarText.ts"),
);

const btc = tickerOf("THB_BTC", { last: 2_998_000.5, percentChange: -1.234 });

function deskWith(pinned: readonly string[]): Desk {
  const tickers = new Map([tickerOf("THB_ETH"), btc].map((ticker) => [ticker.symbol, ticker]));
  return {
    tickers: { state: { tickers }, placesOf: () => 2 },
    watchLists: { state: favouritesOf([], { pinned }) },
  } as unknown as Desk;
}

describe("Edit Status Bar Text", () => {
  beforeEach(() => {
    shownMessages.length = 0;
    typed.length = 0;
  });
  afterEach(() => userSettings.clear());

  it("shows what the typed text makes of a pinned pair, and saves it", async () => {
    typed.push("${pair} ${last} (${change})");
    await editStatusBarText(deskWith(["THB_BTC"]));
    assert.equal(
      shownMessages.find(({ how }) => how === "input note")?.text,
      "Preview: BTC/THB 2,998,000.50 (-1.23%)",
    );
    assert.equal(userSettings.get(settingKeys.pairFormat), "${pair} ${last} (${change})");
  });

  it("saves no text that cannot be used, and says why", async () => {
    typed.push("${lst}");
    await editStatusBarText(deskWith([]));
    assert.match(
      shownMessages.find(({ how }) => how === "input problem")?.text ?? "",
      /^There is no value \$\{lst\}\. Use \$\{pair\} /,
    );
    assert.ok(!userSettings.has(settingKeys.pairFormat));
  });

  it("writes an unknown value as nothing, but an unknown last price as a dash", () => {
    const text = pairText({ ...btc, last: undefined, bestBid: undefined }, 2, "${base} ${last} ${bestBid}|");
    assert.equal(text, "BTC – |");
  });
});
