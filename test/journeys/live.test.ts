import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { commandIds, settingKeys } from "../../src/contributions.ts";
import { isFull } from "../support/rounds.ts";
import { serveExchange, type TestExchange } from "../support/servers/exchange.ts";
import { answerOf } from "../support/servers/loopback.ts";
import type { ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { waitFor } from "../support/waitFor.ts";
import { within } from "../../tools/test/story.ts";
import { accountAt } from "../support/builders/account.ts";
import { startLive, withStreams } from "./support/live.ts";
import { openMenu, rowMenu } from "./support/rows.ts";
import { leaveEditor, takeEditor, takeLive, unfold } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

/** All that is visible after the first bid on an exchange of four endpoints. */
const FOUR_ENDPOINTS = {
  ticket: [
    "Buy",
    "Live · #:#",
    "Pair",
    "Lock",
    "Last",
    "#",
    "Best bid",
    "#",
    "Best ask",
    "#",
    "Limit price",
    "#% above the last price",
    "−",
    "+",
    "THB",
    "Amount",
    "Available # THB",
    "THB",
    "#%",
    "#%",
    "#%",
    "#%",
    "Quantity",
    "approximate, after the fee",
    "BTC",
    "Fee (included)",
    "–",
    "Total",
    "–",
    "Balance after this order",
    "–",
    "Default limits: minimum # THB.",
    "Buy…",
    "Accepted @ #",
    "#:# accepted your order: # THB for BTC at #. Order ID: #. It fills when the market reaches your limit price.",
    "View",
    "Again",
  ],
  order: "Buy BTC# · Accepted · #K",
  orderMenu: ["Open Chart", "Add to Watch List…", "Order Again", "Copy Details"],
  wallet: ["Total", "THB"],
  pairMenu: [
    "Place Bid",
    "Open Chart",
    "Add Alert…",
    "Add to Favourites",
    "Add to Watch List…",
    "Pin to Status Bar",
  ],
};

/** A text with `#` for each figure. */
function plain(text: string): string {
  return text
    .replaceAll(/[+-]?[\d,.]*\d/g, "#")
    .replaceAll(/\s+/g, " ")
    .replace(/ [AP]M$/, "")
    .trim();
}

describe("a trader on an exchange of four endpoints", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;
  let name: string;

  before(async () => {
    exchange = await startLive({ switches: { isBasic: true } });
    name = new URL(exchange.baseUrl).host;
    workbench = await takeLive(exchange.baseUrl);
    await workbench.run(commandIds.placeBid, "THB_BTC");
    await workbench.form.locator("#use-best-ask").click();
  });
  after(async () => {
    await leaveEditor();
    await exchange.close();
  });

  /** The entries of a row's context menu, one of which is given. */
  async function menuOf(row: Locator, entry: string): Promise<string[]> {
    await openMenu(workbench, row, entry);
    const entries = workbench.page.locator(".monaco-menu .action-label:not(.separator)");
    const titles = await entries.allInnerTexts();
    await workbench.press("Escape");
    await entries.first().waitFor({ state: "hidden" });
    return titles.map((title) => title.trim());
  }

  it("places a bid, and sees nothing in ticket, rows and menus of what this exchange does not offer, but one quiet line", async () => {
    await workbench.draft({ amount: "1000" });
    await workbench.submit();
    await workbench.answerModal("Buy");
    await workbench.outcome(`${name} accepted your order`);
    await workbench.balance.filter({ hasText: "Live 999,000 THB" }).waitFor();
    const orderMenu = await menuOf(workbench.orders.first(), "Copy Details");
    const pairMenu = await menuOf(workbench.row("THB_BTC"), "Open Chart");
    await unfold(workbench, "Wallet");
    await workbench.wallet.filter({ hasText: "THB" }).first().waitFor();
    const ticket = await workbench.form.locator("main").innerText();
    assert.deepEqual(
      {
        ticket: ticket.split("\n").map(plain).filter(Boolean),
        order: plain(await workbench.orders.first().innerText()),
        orderMenu,
        // A bid at the best ask may still wait, and then there is no other asset.
        wallet: (await workbench.wallet.allInnerTexts())
          .map((text) => /^[A-Za-z]+/.exec(text)?.[0])
          .filter((name) => name !== "BTC"),
        pairMenu,
      },
      FOUR_ENDPOINTS,
    );
    await unfold(workbench, "Wallet", false);
    await workbench.balance.hover();
    const missing =
      "Not offered by this exchange: Sell orders, Cancelling orders, Open orders, Order history with fills.";
    await workbench.page.locator(".monaco-hover", { hasText: missing }).waitFor();
    await workbench.page.mouse.move(700, 600);
    const { placeBid, wallet, tickers, serverTime, ...others } = exchange.requests;
    assert.ok(placeBid === 1 && wallet > 0 && tickers > 0 && serverTime > 0);
    assert.deepEqual(
      Object.entries(others).filter(([, count]) => count > 0),
      [],
    );
  });

  it("marks a bid without an answer as placed from its menu, and must confirm the mark", async () => {
    // The balance cannot be read, and proves nothing.
    for (let times = 0; times < 20; times += 1)
      exchange.faults.next("wallet", { kind: "code", when: "before", code: 90 });
    exchange.faults.next("placeBid", { kind: "reset", when: "after" });
    await workbench.draft({ amount: "500" });
    await workbench.submit();
    await workbench.answerModal("Buy");
    const row = workbench.orders.filter({ hasText: / · Unknown · 500/ });
    await row.waitFor();
    assert.equal(await workbench.figure("amount"), "500", "the draft stays");
    const question = workbench.modal.filter({ hasText: "Was this order placed?" });
    await rowMenu(workbench, row, "Mark as Placed…", question);
    await workbench.answerModal("Mark as Placed");
    await row.waitFor({ state: "detached" });
    await workbench.balance.filter({ hasNotText: "unknown" }).waitFor();
  });

  it("edits the account as a document: a mistake is refused with its line, and a new name is shown at once", async () => {
    await workbench.command("Bidside: Edit Account");
    const text = workbench.page.locator('.monaco-editor[data-uri^="bidside:"] .view-lines');
    await text.filter({ hasText: `"baseUrl": "${exchange.baseUrl}"` }).waitFor();
    const save = async (part: Readonly<Record<string, unknown>>): Promise<void> => {
      const account = {
        bidsideProfile: 1,
        name: "Savings",
        baseUrl: exchange.baseUrl,
        headerPrefix: "X-SVC-",
      };
      await workbench.run("editor.action.selectAll");
      // Unlike typing, pasting closes no brackets by itself.
      await workbench.run("paste", { text: JSON.stringify({ ...account, ...part }, undefined, 2) });
      void workbench.run("workbench.action.files.save");
    };
    await save({ walletMethod: "PUT" });
    const refusal =
      "Line 6: walletMethod is not part of a profile, is missing, occurs twice, or has an invalid value.";
    await workbench.page.locator(".notification-toast", { hasText: refusal }).waitFor();
    assert.doesNotMatch(await workbench.balance.innerText(), /Savings/);
    await save({ walletMethod: "GET" });
    await workbench.balance.filter({ hasText: "Savings" }).waitFor();
  });
});

describe("a person whose exchange fails", () => {
  let workbench: Workbench;
  let service: TestExchange;
  const entry = (last: number): string =>
    `{"error":0,"result":{"THB_BTC":{"id":1,"last":${last},"percentChange":1,"isFrozen":0}}}`;
  const withUnreadable = entry(100).replace("}}}", '},"THB_BAD":{"last":null}}}');

  before(async () => {
    service = await serveExchange({ tickers: answerOf(200, withUnreadable) });
    workbench = await takeEditor({ accounts: [accountAt(service.url)] });
  });
  after(async () => {
    await leaveEditor();
    await service.close();
  });

  it("sees that a pair could not be read, and all other pairs", async () => {
    await workbench.row("THB_BTC").waitFor();
    await workbench.message
      .filter({ hasText: "Pairs skipped because their data could not be read: 1." })
      .waitFor();
  });

  it("reads the reason and the age of the prices above the rows, which stay, marked stale", async () => {
    service.answers.tickers = answerOf(502, "<!doctype html><h1>Bad gateway</h1>", {
      "Content-Type": "text/html",
    });
    await workbench.run(commandIds.refresh);
    await workbench.message.filter({ hasText: "reported a server error (HTTP 502)" }).waitFor();
    await workbench.message.filter({ hasText: /Prices are \d+ (sec|min) old\./ }).waitFor();
    await workbench
      .row("THB_BTC")
      .filter({ hasText: /100\.00.*stale/ })
      .waitFor();
  });

  it("sees fresh prices again, and the error is gone", async () => {
    service.answers.tickers = answerOf(200, entry(101));
    await workbench.run(commandIds.refresh);
    await workbench.row("THB_BTC").filter({ hasText: "101.00" }).waitFor();
    await workbench.message.waitFor({ state: "hidden" });
  });

  it("sees that the exchange lists no pairs", async () => {
    service.answers.tickers = answerOf(200, '{"error":0,"result":{}}');
    await workbench.run(commandIds.refresh);
    await workbench.page.getByText("The exchange lists no pairs at the moment.").waitFor();
  });

  it("sees that there is no network and what to do, without a notification", async () => {
    await service.close();
    const problem = workbench.quickInput.locator("input[placeholder*='connection was refused']");
    await workbench.command("Bidside: Test Connection", problem);
    await workbench.press("Escape");
    assert.equal(await workbench.page.locator(".notification-toast").count(), 0);
  });
});

describe("a person whose exchange moves a path", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;

  before(async () => {
    exchange = await startLive();
    workbench = await takeLive(exchange.baseUrl);
  });
  after(async () => {
    await leaveEditor();
    await exchange.close();
  });

  it("is offered the new path when the old one answers 404, and continues with it", async () => {
    await exchange.changeApi("current");
    await workbench.run(commandIds.refresh);
    const offer = workbench.page.locator(".notification-toast", {
      hasText: "moved its price endpoint from /api/market/ticker to /api/v3/market/ticker.",
    });
    await offer.getByText("Use the New Path…").click();
    const moved = "Moved from /api/market/ticker to /api/v3/market/ticker";
    await workbench.exchangePage.locator("tr.works", { hasText: moved }).first().waitFor();
    await workbench.exchangePage.getByRole("button", { name: "Use the New Settings" }).click();
    await workbench.message.waitFor({ state: "hidden" });
    await workbench.row("THB_BTC").filter({ hasNotText: "stale" }).waitFor();
  });
});

describe("a person whose exchange streams prices", () => {
  const SYMBOL = "THB_BTC";
  /** A price of this pair, with all its digits. */
  const PRICE = /\d[\d,]{6,}\.\d\d/;
  let workbench: Workbench;
  let exchange: ProxiedPractice;

  before(async () => {
    exchange = await startLive({ switches: { streams: ["ticker"] } });
    // Three streamed prices, a second apart, fit between two polls also in a busy editor.
    workbench = await takeLive(exchange.baseUrl, {
      profile: withStreams,
      settings: { [settingKeys.refreshSeconds]: 10 },
    });
    await workbench.run(commandIds.placeBid, SYMBOL);
  });
  after(async () => {
    await leaveEditor();
    await exchange.close();
  });

  async function prices(): Promise<readonly string[]> {
    const shown = [workbench.row(SYMBOL), workbench.form.locator("#last")];
    return await Promise.all(shown.map(async (place) => PRICE.exec(await place.innerText())?.[0] ?? ""));
  }

  /** Waits until row and ticket changed three times with no poll in between, so only the stream can have these prices. */
  async function followStream(): Promise<void> {
    let [before, polls, changes] = [await prices(), exchange.requests.tickers, 0];
    await waitFor(
      "row and ticket to follow the stream",
      async () => {
        const now = await prices();
        if (exchange.requests.tickers !== polls)
          [before, polls, changes] = [now, exchange.requests.tickers, 0];
        if (now.some((price, index) => price === before[index])) return false;
        [before, changes] = [now, changes + 1];
        return changes >= 3;
      },
      40_000,
    );
  }

  it("sees row and ticket change between two polls, over one connection", async () => {
    await followStream();
    assert.equal(exchange.streams.count("ticker"), 1);
    assert.equal(await workbench.message.isVisible(), false, "Markets shows no message");
  });

  it("has no connection to the exchange while no price is visible, and gets the next price over a new one", async () => {
    await workbench.run("workbench.action.closeAllEditors");
    await workbench.run("workbench.action.toggleSidebarVisibility");
    await waitFor("no connection", () => exchange.streams.count("ticker") === 0);
    await workbench.showSidebar();
    await workbench.run(commandIds.placeBid, SYMBOL);
    await followStream();
    assert.equal(exchange.streams.count("ticker"), 1);
  });

  if (isFull())
    it("polls a quarter as often after the editor has seen no input for a minute, until something is typed in the ticket", async () => {
      /** Waits for this many polls in a row, each after this gap. */
      async function waitForPolls(isSo: (gapMs: number) => boolean, limitMs: number): Promise<void> {
        let [seen, at, inARow] = [exchange.requests.tickers, performance.now(), 0];
        await waitFor(
          "another pace",
          () => {
            const { tickers } = exchange.requests;
            if (tickers === seen) return false;
            const gapMs = (performance.now() - at) / (tickers - seen);
            [seen, at, inARow] = [tickers, performance.now(), isSo(gapMs) ? inARow + 1 : 0];
            return inARow >= 2;
          },
          limitMs,
        );
      }
      exchange.streams.faults.refusal = { status: 503 };
      exchange.streams.drop("ticker");
      await within("be away", () => waitForPolls((gapMs) => gapMs > 30_000, 200_000));
      await workbench.form.locator("#amount").press("5");
      await waitForPolls((gapMs) => gapMs < 20_000, 40_000);
    });
});
