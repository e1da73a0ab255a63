import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingKeys } from "../../../../src/contributions.ts";
import type { Desk } from "../../../../src/desk/desk.ts";
import { plainText } from "../../../../src/market/numbers/decimal.ts";
import { NotSentError } from "../../../../src/exchange/errors.ts";
import { heldElsewhere } from "../../../support/builders/heldElsewhere.ts";
import { close, openTestDesk, readAll, testLog, unattended } from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf } from "../../../support/fakes/venue.ts";
import {
  inputBoxes,
  loadUi,
  person,
  shownMessages,
  typed,
  userSettings,
} from "../../../support/fakes/vscode.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { addHolding, editHolding, removeHolding } = await loadUi(
  () => import("../../../../src/ui/wallet/elsewherePrompt.ts"),
);
const { currentPortfolio } = await loadUi(() => import("../../../../src/ui/wallet/portfolioText.ts"));

describe("entering a holding", () => {
  let folder: string;
  let desk: Desk;

  beforeEach(async () => {
    folder = temporaryFolder();
    const client = new FakeClient();
    client.walletAnswer = () => Promise.reject(new NotSentError("wallet", "noCredentials", "none"));
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 4000 })));
    desk = await openTestDesk({
      client,
      timers: new FakeTimers(),
      window: unattended,
      storage: folder,
      log: { ...testLog, error: () => undefined },
    });
    await readAll(desk);
    shownMessages.length = 0;
    typed.length = 0;
  });
  afterEach(async () => {
    userSettings.clear();
    typed.length = 0;
    person.choose = () => undefined;
    await close(desk);
  });

  const entered = (): unknown[] =>
    desk.elsewhere.list.map(({ asset, quantity, cost, place }) => [
      asset,
      plainText(quantity),
      cost && `${plainText(cost.amount)} ${cost.asset}`,
      place,
    ]);
  const texts = (): string[] => shownMessages.map(({ text }) => text);

  it("needs no key, and makes a portfolio of it", async () => {
    assert.equal(currentPortfolio(desk), undefined);
    typed.push(" \u200Bｂｔc ", "0.5", "1,500.50", "cold wallet");
    await addHolding(desk);
    assert.deepEqual(entered(), [["BTC", "0.5", "1500.5 THB", "cold wallet"]]);
    const portfolio = currentPortfolio(desk);
    assert.equal(portfolio && plainText(portfolio.total), "2000");
    assert.ok(texts().includes("The holding BTC (cold wallet) was saved."));
  });

  it("needs neither cost nor place", async () => {
    typed.push("AIR", "7", "", "");
    await addHolding(desk);
    assert.deepEqual(entered(), [["AIR", "7", undefined, ""]]);
  });

  it("takes no quantity of zero, no other sign, and adds nothing if it is cancelled", async () => {
    for (const quantity of ["0", "-1", "many", ""]) {
      typed.splice(0, typed.length, "BTC", quantity);
      await addHolding(desk);
    }
    typed.splice(0, typed.length, "BTC", "1", "2");
    await addHolding(desk);
    assert.deepEqual(entered(), []);
  });

  it("is edited with what was entered before", async () => {
    const entry = heldElsewhere({ cost: ["THB", "100"] });
    desk.elsewhere.put(entry);
    typed.push("BTC", "2", "100", "vault");
    await editHolding(desk, { kind: "heldElsewhere", held: { entry } });
    assert.deepEqual(
      inputBoxes().map(({ value }) => value),
      ["BTC", "1", "100", "cold wallet"],
    );
    assert.deepEqual(entered(), [["BTC", "2", "100 THB", "vault"]]);
  });

  it("fills in no hidden amount, and keeps what is left empty", async () => {
    userSettings.set(settingKeys.hideAmounts, true);
    const entry = heldElsewhere({ cost: ["THB", "100"] });
    desk.elsewhere.put(entry);
    typed.push("BTC", "", "", "vault");
    await editHolding(desk, { held: { entry } });
    assert.deepEqual(
      inputBoxes().map(({ value }) => value),
      ["BTC", "", "", "cold wallet"],
    );
    assert.deepEqual(entered(), [["BTC", "1", "100 THB", "vault"]]);
  });

  it("is removed, and comes back with Undo", async () => {
    const entry = heldElsewhere();
    desk.elsewhere.put(entry);
    person.choose = () => undefined;
    await removeHolding(desk, { held: { entry } });
    assert.deepEqual(entered(), []);
    desk.elsewhere.put(entry);
    person.choose = (actions) => actions.find((action) => action === "Undo");
    await removeHolding(desk, { held: { entry } });
    assert.equal(entered().length, 1);
  });

  it("is refused before anything is typed while the file cannot be read", async () => {
    writeFileSync(join(folder, "holdings.json"), "{");
    typed.push("BTC", "1", "", "");
    await addHolding(desk);
    assert.equal(inputBoxes().length, 0);
    assert.match(texts().join(), /holdings\.json in Bidside's folder is damaged/);
  });
});
