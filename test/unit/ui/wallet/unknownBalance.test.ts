import assert from "node:assert/strict";
import type * as vscode from "vscode";
import type { Desk } from "../../../../src/desk/desk.ts";
import type { FormQuote } from "../../../../src/protocol/ticket.ts";
import type { WalletRow } from "../../../../src/ui/wallet/walletRows.ts";
import { openTestDesk, readAll, unattended } from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../../../support/fakes/venue.ts";
import { HollowTree, loadUi } from "../../../support/fakes/vscode.ts";
import { openForm } from "../../../support/pages/openForm.ts";
import { serveExchange } from "../../../support/servers/exchange.ts";

const { AmountText } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));
const { balanceContent } = await loadUi(() => import("../../../../src/ui/wallet/balanceContent.ts"));
const { WalletRows } = await loadUi(() => import("../../../../src/ui/wallet/walletRows.ts"));

const WHY = /has no readable balance for THB\. The balance is unknown, not zero/;

async function openDesk(): Promise<Desk> {
  const client = new FakeClient();
  client.walletAnswer = () => Promise.resolve(walletOf({ THB: "unreadable", BTC: "0.5" }));
  client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 4000 })));
  const desk = await openTestDesk({ client, timers: new FakeTimers(), window: unattended });
  await readAll(desk);
  return desk;
}

describe("an unreadable balance in the exchange's response", () => {
  it("is unknown in the status bar, and the tooltip says why", async () => {
    const { venue, balances } = await openDesk();
    const { words, icon, tooltip } = balanceContent({
      tickers: [],
      elsewhere: [],
      today: undefined,
      figure: "available",
      state: venue.state,
      balance: balances.state,
      needsCredentials: false,
      attention: 0,
      amounts: new AmountText(false),
      quote: "THB",
    });
    assert.deepEqual([words, icon], ["Practice: THB balance unknown", "warning"]);
    assert.match(tooltip.value, /THB \| unknown \|\n\| BTC \| 0\.5/);
    assert.match(tooltip.value, WHY);
  });

  it("has its own row in the wallet, and the total says that it does not include the balance", async () => {
    const rows = new WalletRows(
      await openDesk(),
      new HollowTree() as unknown as vscode.TreeView<WalletRow>,
      () => undefined,
    );
    const items = rows.children().map((row) => rows.item(row));
    assert.deepEqual(
      items.map(({ label }) => label),
      ["Total", "THB", "BTC"],
    );
    const [total, thb] = items;
    assert.match(String(total?.description), /^\s*2,000\.00\s.*without THB$/);
    assert.equal(thb?.description, "unknown");
    assert.match(String(thb.tooltip), WHY);
  });

  it("is unknown in the ticket, which says that the exchange decides", async () => {
    const exchange = await serveExchange();
    exchange.answers.wallet = (_request, response) =>
      void response.end('{"error":0,"result":{"THB":"1,000,000.00","BTC":1}}');
    const form = await openForm(exchange.url);
    try {
      await form.tickers.refresh();
      await form.balances.refresh();
      form.select("THB_BTC");
      const quotes = form.posted.flatMap((each): FormQuote[] => (each.type === "quote" ? [each.quote] : []));
      const { available, note } = quotes.at(-1) ?? assert.fail();
      assert.equal(available, undefined);
      assert.match(note, /^Your THB balance is unknown: .*the exchange decides\.$/);
      await form.submit({ symbol: "THB_BTC", amount: "1000", rate: "100" });
      assert.equal(exchange.seenOf("placeBid").length, 1, "as before the first poll of the wallet");
      assert.equal(form.orders.own[0]?.intent.availableBefore, undefined);
    } finally {
      await form.close();
      await exchange.close();
    }
  });
});
