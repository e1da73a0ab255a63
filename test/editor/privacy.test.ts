import assert from "node:assert/strict";
import * as vscode from "vscode";
import { settingKeys, commandIds } from "../../src/contributions.ts";
import type { Desk } from "../../src/desk/desk.ts";
import { RefusedError } from "../../src/exchange/errors.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import { hiddenAmount } from "../../src/market/numbers/hiddenFigures.ts";
import { ruleText } from "../../src/ui/alerts/alertText.ts";
import { orderDetails, orderTooltip } from "../../src/ui/orders/orderText.ts";
import { orderItem } from "../../src/ui/orders/orderItems.ts";
import { amountsAreHidden } from "../../src/ui/settings.ts";
import { spoken, shownAmounts } from "../../src/ui/text/amountText.ts";
import { explain } from "../../src/ui/text/errorText.ts";
import { rateText } from "../../src/ui/text/numberText.ts";
import { outcomeTexts, problemText } from "../../src/ui/ticket/outcomeText.ts";
import { balanceContent } from "../../src/ui/wallet/balanceContent.ts";
import { WalletRows, type WalletRow } from "../../src/ui/wallet/walletRows.ts";
import { openTestDesk, readAll, unattended } from "../support/desks/testDesk.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../support/fakes/venue.ts";
import { waitFor } from "../support/waitFor.ts";
import { BID } from "../support/builders/formDraft.ts";
import { ownOrder } from "../support/builders/ownOrder.ts";

async function hide(hidden: boolean): Promise<void> {
  if (amountsAreHidden() !== hidden) await vscode.commands.executeCommand(commandIds.togglePrivacy);
  await waitFor("the setting to be read", () => amountsAreHidden() === hidden);
}

const client = new FakeClient();
client.walletAnswer = () => Promise.resolve(walletOf({ THB: "1234.5", BTC: "0.5", AIR: "777" }));
client.tickersAnswer = () =>
  Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 4000, percentChange: 25 })));

async function openDesk(): Promise<Desk> {
  const desk = await openTestDesk({ client, timers: new FakeTimers(), window: unattended });
  await readAll(desk);
  return desk;
}

async function walletOnScreen() {
  const desk = await openDesk();
  const { event: onDidChangeVisibility } = new vscode.EventEmitter<unknown>();
  const view = { message: undefined, onDidChangeVisibility } as unknown as vscode.TreeView<WalletRow>;
  let repaints = 0;
  const rows = new WalletRows(desk, view, () => (repaints += 1));
  const items = () => rows.children().map((row) => rows.item(row));
  return { tickers: desk.tickers, view, rows, items, repaints: () => repaints };
}

const textOf = (item: vscode.TreeItem): string =>
  [item.label, item.description, (item.tooltip as vscode.MarkdownString).value]
    .join(" ")
    .replaceAll("&nbsp;", " ");

const bid = ownOrder({
  intent: {
    id: "6f1a3c52-0000-4000-8000-000000000001",
    venue: "practice",
    origin: "http://127.0.0.1:1",
    symbol: "THB_BTC",
    quote: "THB",
    base: "BTC",
    side: "buy",
    amount: "1234.5",
    rate: "4000",
    quantity: "0.30785343",
    fee: "3.08625",
    at: 1_795_000_000_000,
  },
  state: "accepted",
  since: 1_795_000_000_000,
  orderId: undefined,
  evidence: [
    {
      kind: "check",
      id: "6f1a3c52-0000-4000-8000-000000000001",
      at: 1_795_000_000_000,

      text: "1234.5 THB are gone",
    },
  ],
});

describe("the Wallet view", () => {
  it("repaints when the price of an owned asset changed, and not for other prices", async () => {
    const { tickers, repaints } = await walletOnScreen();
    const before = repaints();
    client.tickersAnswer = () =>
      Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 4001 }), tickerOf("THB_ETH")));
    await tickers.refresh();
    assert.equal(repaints(), before + 1, "rows came");
    client.tickersAnswer = () =>
      Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 4001 }), tickerOf("THB_ETH", { last: 1 })));
    await tickers.refresh();
    assert.equal(repaints(), before + 1, "another's price");
    client.tickersAnswer = () =>
      Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 4002 }), tickerOf("THB_ETH", { last: 1 })));
    await tickers.refresh();
    assert.equal(repaints(), before + 2);
  });
});

describe("hidden amounts", () => {
  before(() => hide(true));
  after(async () => {
    await vscode.workspace
      .getConfiguration()
      .update(settingKeys.hideAmounts, undefined, vscode.ConfigurationTarget.Global);
  });

  it("are masked with the same width for every amount, and prices stay visible", () => {
    assert.equal(shownAmounts().amount(new Decimal("1"), "THB"), hiddenAmount);
    assert.equal(shownAmounts().amount(new Decimal("123456789.123"), "THB"), hiddenAmount);
    assert.equal(rateText(4000, 2), "4,000.00");
    assert.equal(ruleText({ kind: "above", price: "4000.5" }), "rises to 4,000.50");
    assert.equal(ruleText({ kind: "below", price: "0.00000001" }), "falls to 0.00000001");
    assert.equal(spoken(`BTC ${hiddenAmount}`), "BTC hidden");
  });

  it("are not in the status bar item or its tooltip", async () => {
    const { venue, balances } = await openDesk();
    const content = balanceContent({
      tickers: [],
      elsewhere: [],
      today: undefined,
      figure: "available",
      state: venue.state,
      balance: balances.state,
      needsCredentials: false,
      attention: 0,
      amounts: shownAmounts(),
      quote: "THB",
    });
    assert.equal(content.words, `Practice ${hiddenAmount} THB`);
    assert.doesNotMatch(content.tooltip.value, /1[,.]?234|777|0\.5/);
  });

  it("are not in the wallet, which still shows shares, changes and prices", async () => {
    client.tickersAnswer = () =>
      Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 4000, percentChange: 25 })));
    const { items } = await walletOnScreen();
    const all = items().map(textOf).join("\n");
    assert.doesNotMatch(all, /1[,.]?234|3[,.]?234|2[,.]000|777|0\.5\b|400\.00/);
    for (const part of ["61.8%", "+25.00%", "4,000.00"]) assert.ok(all.includes(part), part);
  });

  it("are not in Orders or in the result of a balance check", () => {
    const item = orderItem(bid, {
      amounts: shownAmounts(),
      hasSeveralQuotes: false,
      isOurs: true,
      accountText: () => "",
    });
    item.tooltip = orderTooltip(bid, shownAmounts());
    assert.doesNotMatch(textOf(item), /1,?234|30785/);
    assert.match(textOf(item), /Limit price \| 4,000\.00 THB/);
    assert.doesNotMatch(item.accessibilityInformation?.label ?? "", /1234|•/);
  });

  it("are not in field errors or a bid's outcome", async () => {
    const { venue } = await openDesk();
    const limit = new Decimal("1234.5");
    const problem = { field: "amount", code: "aboveAvailable", limit } as const;
    assert.doesNotMatch(problemText(problem, BID, shownAmounts()), /\d/);
    const { intent } = bid;
    const outcome = outcomeTexts(
      {
        kind: "accepted",
        venue: venue.signedIn ?? assert.fail(),
        order: {
          side: "buy",
          symbol: intent.symbol,
          pair: { quote: intent.quote, base: intent.base },
          amount: new Decimal(intent.amount),
          rate: new Decimal(intent.rate),
          quantity: new Decimal(intent.quantity),
          fee: new Decimal(intent.fee),
        },
        receipt: { orderId: "7" },
      },
      BID,
      shownAmounts(),
    );
    assert.match(outcome.notice?.text ?? "", /••• THB for BTC at 4,000\.00\. Order ID: 7\./);
  });

  it("are not in the exchange's own messages", () => {
    const error = new RefusedError("wallet", {
      code: 18,
      httpStatus: 200,
      serviceMessage: "you have 1,234.50",
    });
    assert.doesNotMatch(explain(error, shownAmounts(), "x").sentence, /1,234/);
  });

  it("stay visible in confirmations and copied texts", () => {
    const details = orderDetails(bid).join("\n");
    assert.match(details, /Amount: 1,234\.50 THB/);
    assert.match(details, /1234\.5 THB are gone/);
  });

  it("are visible after Turn Off Privacy Mode, even if it runs twice", async () => {
    for (let time = 0; time < 2; time += 1) {
      await vscode.commands.executeCommand(commandIds.showAmounts);
      await waitFor("the setting to be read", () => !amountsAreHidden());
    }
  });
});
