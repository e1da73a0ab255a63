import assert from "node:assert/strict";
import type { Desk } from "../../../../src/desk/desk.ts";
import { Decimal, plainText } from "../../../../src/market/numbers/decimal.ts";
import { openOrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import type { PairTrades } from "../../../../src/storage/orders/tradeBook.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { close, openTestDesk, readAll, unattended } from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../../../support/fakes/venue.ts";
import {
  inputBoxes,
  loadUi,
  person,
  shownMessages,
  typed,
  userSettings,
} from "../../../support/fakes/vscode.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { enterCost, quantityWithoutCost } = await loadUi(
  () => import("../../../../src/ui/wallet/costPrompt.ts"),
);

const place = { venue: "practice", origin: "http://127.0.0.1:1" } as const;
const btc = { quote: "THB", base: "BTC" };
const row = { kind: "holding", holding: { asset: "BTC" } };

describe("setting a cost basis", () => {
  let folder: string;
  let desk: Desk;

  beforeEach(async () => {
    folder = temporaryFolder();
    const client = new FakeClient();
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "1000", BTC: "0.5", ETH: "2", AIR: "7" }));
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC"), tickerOf("THB_ETH")));
    desk = await openTestDesk({ client, timers: new FakeTimers(), window: unattended, storage: folder });
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

  const known = (): PairTrades | undefined => desk.orders.trades?.get(place, btc);
  const enteredText = (): string[] | undefined => {
    const entered = known()?.entered;
    return entered && [plainText(entered.quantity), plainText(entered.cost)];
  };

  it("records quantity and cost, and says so", async () => {
    typed.push("0.4", "40000.5");
    await enterCost(desk, row);
    assert.deepEqual(enteredText(), ["0.4", "16000.2"]);
    assert.ok(shownMessages.some(({ text }) => text === "The cost basis of BTC was saved."));
  });

  it("reads grouped numbers of other notations", async () => {
    typed.push("0,4", "40,000.50");
    await enterCost(desk, row);
    assert.deepEqual(enteredText(), ["0.4", "16000.2"]);
  });

  it("shows what it understood before Enter", async () => {
    typed.push("๐.๔ btc", "40'000.5 THB");
    await enterCost(desk, row);
    assert.deepEqual(enteredText(), ["0.4", "16000.2"]);
    assert.deepEqual(
      shownMessages.filter(({ how }) => how === "input note").map(({ text }) => text),
      ["Read as 0.4 BTC.", "Read as 40,000.5 THB."],
    );
  });

  it("is prefilled with the quantity without a known purchase, or with the entered cost", async () => {
    const journal = openOrderJournal({ directory: desk.ordersFolder, now: desk.timers.now });
    journal.recordReports([testReport({ side: "buy", fills: [testFill("1", "0.2")] })], place);
    journal.close();
    await desk.orders.reread();
    await enterCost(desk, row);
    assert.equal(inputBoxes()[0]?.value, "0.3");
    typed.push("0.3", "100");
    await enterCost(desk, row);
    shownMessages.length = 0;
    typed.push("0.3");
    await enterCost(desk, row);
    assert.deepEqual(
      inputBoxes().map(({ value }) => value),
      ["0.3", "100"],
    );
  });

  it("is not prefilled in privacy mode", async () => {
    typed.push("0.4", "40000");
    await enterCost(desk, row);
    userSettings.set("bidside.wallet.hideAmounts", true);
    shownMessages.length = 0;
    typed.push("0.4");
    await enterCost(desk, row);
    assert.deepEqual(
      inputBoxes().map(({ value }) => value),
      ["", ""],
    );
  });

  it("says why it refuses a text, and changes nothing if cancelled", async () => {
    for (const [wrong, reason] of [
      ["", "Use digits and at most one decimal point, such as 1000 or 0.25."],
      ["-1", "Use digits and at most one decimal point, such as 1000 or 0.25."],
      ["1,00.0", "Use digits and at most one decimal point, such as 1000 or 0.25."],
      ["1e3", "Leave out letters and currency signs. Use digits, such as 1000 or 0.25."],
      ["0.4 ETH", "Leave out letters and currency signs. Use digits, such as 1000 or 0.25."],
    ] as const) {
      typed.push(wrong);
      await enterCost(desk, row);
      assert.equal(shownMessages.at(-1)?.text, reason, wrong);
    }
    typed.push("1", "-5");
    await enterCost(desk, row);
    typed.push("1");
    await enterCost(desk, row);
    assert.equal(known(), undefined);
  });

  it("removes an entered cost with a quantity of zero, without a second prompt", async () => {
    typed.push("0.4", "40000");
    await enterCost(desk, row);
    shownMessages.length = 0;
    typed.push("0");
    await enterCost(desk, row);
    assert.equal(known(), undefined);
    assert.equal(inputBoxes().length, 1);
    assert.ok(shownMessages.some(({ text }) => text === "The cost basis of BTC was removed."));
  });

  it("without a row, asks for a priced asset, the most valuable first", async () => {
    person.choose = (offered) => offered.find((label) => label === "BTC");
    typed.push("1", "2");
    await enterCost(desk, undefined);
    assert.equal(shownMessages.find(({ how }) => how === "choices")?.text, "ETH\nBTC");
    assert.deepEqual(enteredText(), ["1", "2"]);
  });

  it("leaves other arguments alone", async () => {
    for (const strange of [
      null,
      5,
      { holding: null },
      { holding: { asset: 7 } },
      { holding: { asset: "AIR" } },
    ])
      await enterCost(desk, strange);
    assert.deepEqual(inputBoxes(), []);
  });
});

describe("the quantity without a known purchase", () => {
  it("is what was held or sold beyond the known purchases, never negative", () => {
    assert.equal(plainText(quantityWithoutCost(new Decimal("0.5"), undefined)), "0.5");
    const average = { held: new Decimal("9") };
    const trade = (side: "buy" | "sell", quantity: string, at: number) => ({
      ...testFill(String(at), quantity),
      side,
      at,
    });
    const of = (...trades: object[]): PairTrades => ({ trades, average }) as unknown as PairTrades;
    const left = (amount: string, known: PairTrades): string =>
      plainText(quantityWithoutCost(new Decimal(amount), known));
    assert.equal(left("3", of(trade("buy", "2", 1))), "1");
    assert.equal(left("1", of(trade("sell", "2", 1), trade("buy", "1", 2))), "2");
    assert.equal(left("1", of(trade("buy", "2", 1))), "0");
  });
});
