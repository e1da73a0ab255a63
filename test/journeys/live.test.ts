import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { serveExchange, type TestExchange } from "../support/servers/exchange.ts";
import { type Answer, answerOf } from "../support/servers/loopback.ts";
import { livePair } from "./support/openLive.ts";
import { openMenu, rowMenu } from "./support/rows.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

/**
 * All that is visible after the first bid on an exchange of four endpoints, as version 0.1 showed it before exchanges
 * could offer more.
 */
const FOUR_ENDPOINTS = {
  ticket: [
    "Place Bid",
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
    "#",
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
    "Place Bid…",
    "#:# accepted your order: # THB for BTC at #. Order ID: #. It fills when the market reaches your limit price.",
  ],
  order: "BTC# @ # · Accepted · #:#",
  orderMenu: ["Order Again", "Copy Details"],
  wallet: ["Total", "THB"],
  pairMenu: ["Place Bid", "Open Chart", "Add Alert…", "Add to Favourites", "Pin to Status Bar"],
};

/** A text with `#` for each figure. */
function plain(text: string): string {
  return text
    .replaceAll(/[+-]?[\d,.]*\d/g, "#")
    .replaceAll(/\s+/g, " ")
    .replace(/ [AP]M$/, "")
    .trim();
}

describe("a trader going live", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;
  let name: string;

  before(async () => {
    exchange = await startProxiedPractice({
      credentials: livePair,
      now: Date.now,
      switches: { isBasic: true },
    });
    name = new URL(exchange.baseUrl).host;
    workbench = await takePractice();
  });
  after(async () => {
    await leaveEditor(workbench);
    await exchange.close();
  });

  async function enterKey(key: string, secret: string): Promise<void> {
    await workbench.type("API Key for", key);
    await workbench.type("API Secret for", secret);
    await workbench.quickInput.waitFor({ state: "hidden" });
  }

  /** The entries of a row's context menu, one of which is given. */
  async function menuOf(row: Locator, entry: string): Promise<string[]> {
    await openMenu(workbench, row, entry);
    const entries = workbench.page.locator(".monaco-menu .action-label:not(.separator)");
    const titles = await entries.allInnerTexts();
    await workbench.press("Escape");
    await entries.first().waitFor({ state: "hidden" });
    return titles.map((title) => title.trim());
  }

  const mark = (text: string | RegExp) => workbench.quickInput.getByText(text).first();

  it("gets to the set-up from the choice of exchanges, and sees the error of a wrong address", async () => {
    await workbench.openTicket();
    await workbench.command("Bidside: Switch Exchange");
    await workbench.pick("Set Up Live Exchange");
    const input = workbench.quickInput.locator("input.input");
    await mark("Live Exchange (1/5)").waitFor();
    for (const [address, problem] of [
      ["nonsense", "not a web address"],
      ["http://api.example.com", "must begin with https://"],
    ] as const) {
      await input.fill(address);
      await mark(problem).waitFor();
    }
    await workbench.screenshot("address-problem");
  });

  it("leaves the set-up at the API key, and continues there with the earlier answers", async () => {
    await workbench.type("Live Exchange", `${exchange.baseUrl}/api/market/ticker`);
    await mark("(3/5)").waitFor();
    await workbench.press("Escape");
    await workbench.quickInput.waitFor({ state: "hidden" });
    await workbench.balance.filter({ hasText: "Practice" }).waitFor();
    await workbench.command("Bidside: Set Up Live Exchange");
    await mark(`API Key for ${exchange.baseUrl} (3/5)`).waitFor();
    await workbench.screenshot("set-up-key");
    await workbench.quickInput.locator(".quick-input-left-action-bar .action-label").click();
    await mark("Live Exchange (1/5)").waitFor();
    await workbench.press("Enter");
    await mark("(3/5)").waitFor();
  });

  it("enters a wrong secret, and sees the error and the step that fixes it", async () => {
    await workbench.type("API Key for", livePair.apiKey);
    await workbench.type("API Secret for", "wrong-secret");
    await workbench.quickInput
      .locator("input[placeholder*='error 6: Missing or invalid signature']")
      .waitFor();
    await workbench.quickInput.locator(".monaco-list-row", { hasText: "Enter the API Secret" }).waitFor();
    await workbench.screenshot("set-up-wrong-secret");
    await workbench.balance.filter({ hasText: "Practice" }).waitFor();
  });

  it("fixes the secret, chooses live, and sees the live wallet; every place names the exchange", async () => {
    await workbench.pick("Enter the API Secret");
    await workbench.type("API Secret for", livePair.apiSecret);
    const offers = workbench.exchangePage;
    await offers.locator("tr.works", { hasText: "Balance" }).waitFor();
    await offers.locator("tr.off", { hasText: "Selling" }).waitFor();
    await workbench.screenshot("set-up-works");
    assert.equal(exchange.requests.placeBid, 0);
    await workbench.balance.filter({ hasText: "Practice" }).waitFor();
    await offers.getByRole("button", { name: "Switch to Live" }).click();
    await workbench.balance.filter({ hasText: `${name} 1,000,000.00 THB` }).waitFor();
    await workbench.page.getByText(`Markets · Live · ${name}`).first().waitFor();
    await workbench.form.locator("#venue", { hasText: name }).waitFor();
  });

  it("enters a wrong key, and reads error 3 and its remedy", async () => {
    await workbench.command("Bidside: Set API Key and Secret");
    await enterKey("wrong-key", "journey-secret");
    await workbench.draft({ symbol: "THB_BTC" });
    await workbench.form
      .locator("#note", { hasText: /error 3: Invalid API key.*\. Check that the API key is valid/ })
      .waitFor();
    await workbench.balance.click();
    await mark("returned error 3: Invalid API key").waitFor();
    await workbench.screenshot("wrong-key");
    await workbench.press("Escape");
  });

  it("reads the same error in the connection test, which leads to the step that fixes it", async () => {
    await workbench.command("Bidside: Test Connection");
    await workbench.quickInput.locator("input[placeholder*='error 3: Invalid API key']").waitFor();
    await workbench.screenshot("connection-test-wrong-key");
    await workbench.pick("Enter the API Key");
    await workbench.type("API Key for", livePair.apiKey);
    await workbench.type("API Secret for", livePair.apiSecret);
    await workbench.exchangePage.locator("tr.works", { hasText: "Balance" }).waitFor();
    await workbench.closeTab();
    await workbench.balance.filter({ hasText: `${name} 1,000,000.00 THB` }).waitFor();
    await workbench.form.locator("#note:empty").waitFor({ state: "attached" });
  });

  it("places a bid on the live exchange, whose name is in the confirmation", async () => {
    await workbench.form.locator("#use-best-ask").click();
    await workbench.draft({ amount: "1000" });
    await workbench.submit();
    await workbench.modal.filter({ hasText: `on Live ${name} with real money?` }).waitFor();
    await workbench.answerModal("Place Bid");
    await workbench.outcome(`${name} accepted your order`);
    await workbench.balance.filter({ hasText: `${name} 999,000.00 THB` }).waitFor();
    assert.equal(exchange.requests.placeBid, 1);
  });

  it("sees ticket, rows and menus as before, and one quiet line about what this exchange does not offer", async () => {
    // The editor's rows are in no order on the page.
    const order = workbench.orders.filter({ hasNotText: "Other exchanges" });
    // Until a second after the newest input has opened, the rows of the exchange before are on screen.
    await workbench.orders.filter({ hasText: "Order history" }).waitFor({ state: "detached" });
    const orderMenu = await menuOf(order, "Copy Details");
    const pairMenu = await menuOf(workbench.row("THB_BTC"), "Open Chart");
    await workbench.header("Wallet").click();
    await workbench.wallet.filter({ hasText: "THB" }).waitFor();
    const ticket = await workbench.form.locator("main").innerText();
    assert.deepEqual(
      {
        ticket: ticket.split("\n").map(plain).filter(Boolean),
        order: plain(await order.innerText()),
        orderMenu,
        // A bid at the best ask may still wait, and then there is no other asset.
        wallet: (await workbench.wallet.allInnerTexts())
          .map((text) => /^[A-Za-z]+/.exec(text)?.[0])
          .filter((name) => name !== "BTC"),
        pairMenu,
      },
      FOUR_ENDPOINTS,
    );
    await workbench.header("Wallet").click();
    await workbench.balance.hover();
    const missing =
      "Not offered by this exchange: Sell orders, Cancelling orders, Open orders, Order history with fills.";
    await workbench.page.locator(".monaco-hover", { hasText: missing }).waitFor();
    const { placeBid, wallet, tickers, serverTime, ...others } = exchange.requests;
    assert.ok(placeBid === 1 && wallet > 0 && tickers > 0 && serverTime > 0);
    assert.deepEqual(
      Object.entries(others).filter(([endpoint, count]) => count > 0 && endpoint !== "history"),
      [],
    );
  });

  it("is warned that an unanswered bid may have been placed, and the bid is sent once", async () => {
    exchange.faults.next("placeBid", { kind: "reset", when: "after" });
    await workbench.draft({ amount: "500" });
    await workbench.submit();
    await workbench.answerModal("Place Bid");
    await workbench.outcome(/may have been placed\. .*Bidside never sends an order twice\./);
    await workbench.balance.filter({ hasText: `${name} 998,500.00 THB` }).waitFor();
    assert.equal(exchange.requests.placeBid, 2);
    assert.equal(await workbench.form.locator("#amount").inputValue(), "500", "the draft stays");
    await workbench.orders.filter({ hasText: /500\.00 @ .* · Unknown/ }).waitFor();
    await workbench.balance.filter({ hasText: "· 1 unknown" }).waitFor();
    await workbench.screenshot("unknown");
  });

  it("sees the error of a wrong clock (error 8), and the next try is accepted", async () => {
    exchange.faults.clockSkewMs = 600_000;
    await workbench.submit();
    await workbench.answerModal("Place Bid");
    await workbench.outcome(
      /Rejected\. Nothing was spent\..*error 8: Invalid timestamp.*Submit the order again\./,
    );
    await workbench.submit();
    await workbench.answerModal("Place Bid");
    await workbench.outcome(`${name} accepted your order`);
    exchange.faults.clockSkewMs = 0;
  });

  it("marks the bid without an answer as placed, after seeing the bid at the exchange", async () => {
    const row = workbench.orders.filter({ hasText: /500\.00 @ .* · Unknown/ });
    const question = workbench.modal.filter({ hasText: "Was this order placed?" });
    await rowMenu(workbench, row, "Mark as Placed…", question);
    await workbench.answerModal("Mark as Placed");
    await row.waitFor({ state: "detached" });
    await workbench.balance.filter({ hasNotText: "unknown" }).waitFor();
  });

  it("removes the key, and is asked for a key again", async () => {
    await workbench.command("Bidside: Remove API Key and Secret");
    await workbench.answerModal("Remove");
    await workbench.balance.filter({ hasText: `${name}: Set API Key` }).waitFor();
  });

  it("is led from the status bar to the API key, and can watch without a key", async () => {
    const signed = exchange.requests.wallet;
    await workbench.balance.click();
    await mark(`API Key for ${exchange.baseUrl} (3/5)`).waitFor();
    await workbench.press("Enter");
    await workbench.exchangePage.getByText("Without an API key you can only watch prices.").waitFor();
    await workbench.closeTab();
    await workbench.row("THB_BTC").waitFor();
    // The set-up asks once without a signature, because a refusal may name the headers that the exchange expects.
    assert.equal(exchange.requests.wallet, signed + 1);
    await workbench.screenshot("live-without-key");
  });

  it("goes back to practice with one choice", async () => {
    await workbench.command("Bidside: Switch Exchange");
    await workbench.pick("Practice");
    await workbench.balance.filter({ hasText: "Practice 1,000,000.00 THB" }).waitFor();
    await workbench.form.locator("#venue", { hasText: "Practice" }).waitFor();
  });

  describe("whose exchange fails", () => {
    let service: TestExchange;
    const entry = (last: number) =>
      `{"error":0,"result":{"THB_BTC":{"id":1,"last":${last},"percentChange":1,"isFrozen":0},"THB_BAD":{"last":null}}}`;
    const page = (status: number, body = "<!doctype html><h1>Bad gateway</h1>") =>
      answerOf(status, body, { "Content-Type": "text/html" });

    before(async () => {
      service = await serveExchange({ tickers: answerOf(200, entry(100)) });
      await workbench.goLive(service.url);
      await workbench.row("THB_BTC").waitFor();
    });
    after(() => service.close());

    async function refresh(): Promise<void> {
      await workbench.command("Bidside: Refresh");
    }

    it("sees that a pair could not be read, and all other pairs", async () => {
      await workbench.message
        .filter({ hasText: "Pairs skipped because their data could not be read: 1." })
        .waitFor();
    });

    const troubles: [string, Answer, string][] = [
      ["an error page", page(502), "reported a server error (HTTP 502)"],
      ["a web page instead of data", page(200), "is not JSON"],
      ["a wrong path", page(404), "does not serve /api/market/ticker, the path for: Prices (HTTP 404)"],
      ["another shape", answerOf(200, '{"error":0,"result":7}'), "has an unknown format"],
      ["a redirect", page(302, ""), "redirects to another address"],
      [
        "an error of its own",
        answerOf(200, '{"error":90}'),
        "error 90: Server error. Try again in a moment.",
      ],
    ];
    for (const [what, answer, sentence] of troubles) {
      it(`reads about ${what} in one sentence, and the last price stays, marked stale`, async () => {
        service.answers.tickers = answer;
        await refresh();
        await workbench.message.filter({ hasText: sentence }).waitFor();
        await workbench.message.filter({ hasText: /Prices are \d+ (sec|min) old\./ }).waitFor();
        await workbench
          .row("THB_BTC")
          .filter({ hasText: /100\.00.*stale/ })
          .waitFor();
      });
    }

    it("sees fresh prices again, and the error is gone", async () => {
      await workbench.screenshot("stale");
      service.answers.tickers = answerOf(200, entry(101).replace(',"THB_BAD":{"last":null}', ""));
      await refresh();
      await workbench.row("THB_BTC").filter({ hasText: "101.00" }).waitFor();
      await workbench.message.waitFor({ state: "hidden" });
    });

    it("sees that the exchange lists no pairs", async () => {
      service.answers.tickers = answerOf(200, '{"error":0,"result":{}}');
      await refresh();
      await workbench.page.getByText("The exchange lists no pairs at the moment.").waitFor();
      await workbench.screenshot("empty");
    });

    it("sees a rate limit and when it ends", async () => {
      service.answers.tickers = answerOf(429, '{"error":30}');
      await refresh();
      await workbench.message
        .filter({ hasText: /Too many requests to .*\. Bidside retries after/ })
        .waitFor();
      await workbench.screenshot("rate-limit");
    });

    it("sees that there is no network and what to do, without a notification", async () => {
      await service.close();
      await workbench.command("Bidside: Test Connection");
      await workbench.quickInput.locator("input[placeholder*='connection was refused']").waitFor();
      await workbench.press("Escape");
      assert.equal(await workbench.page.locator(".notifications-toasts .notification-toast").count(), 0);
    });
  });
});
