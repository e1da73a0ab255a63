import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import type { ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { openOrderJournal } from "../../src/storage/orders/orderJournal.ts";
import { bidIntent } from "../support/builders/bidIntent.ts";
import { waitFor } from "../support/waitFor.ts";
import { livePair } from "./support/openLive.ts";
import { clickAction, expand, rowMenu } from "./support/rows.ts";
import { leaveEditor, takeLive, unfold } from "./support/sharedEditor.ts";
import { type Workbench } from "./support/workbench.ts";

/** Bids; the exchange accepts the bid, and drops the connection before the answer. */
async function bidUnanswered(workbench: Workbench, exchange: ProxiedPractice, amount: string): Promise<void> {
  await workbench.openTicket();
  await workbench.draft({ symbol: "THB_BTC", amount });
  await workbench.form.locator("#use-best-ask").click();
  exchange.faults.next("placeBid", { kind: "reset", when: "after" });
  await workbench.submit();
  await workbench.answerModal("Place Bid");
}

describe("a trader whose editor is killed, or whose connection breaks, during an order", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;
  let name: string;
  let own: Locator;

  before(async () => {
    ({ workbench, exchange, name } = await takeLive());
    // Without the orders of the stories before.
    own = workbench.orders.filter({ hasText: /(?:1,100|900|700|321)\.00 @/ });
  });
  after(async () => {
    await leaveEditor(workbench);
    await exchange.close();
  });

  /** Without the key nobody is signed in: the orders are below their account, which is folded unless one is unknown. */
  async function unfoldAccounts(): Promise<void> {
    await workbench.orders
      .filter({ hasText: /not signed in/ })
      .first()
      .waitFor();
    const folded = workbench.orders.and(workbench.page.locator('[aria-expanded="false"]'));
    await waitFor("all accounts to be unfolded", async () => {
      if ((await folded.count()) === 0) return true;
      await folded.first().click();
      return false;
    });
  }

  it("sees the bid as unknown after the exchange accepted the bid and dropped the connection", async () => {
    await bidUnanswered(workbench, exchange, "1100");
    await workbench.orders.filter({ hasText: /1,100\.00 @ .* · Unknown/ }).waitFor();
    assert.equal(exchange.requests.placeBid, 1);
  });

  it("finds the bid again, still unknown, below its account after kill -9 and a restart", async () => {
    await workbench.killAndRestart();
    await workbench.orders
      .filter({ hasText: /^\s*Account \w+\s*1 order · 1 unknown · not signed in/ })
      .waitFor();
    await unfoldAccounts();
    await own.filter({ hasText: /1,100\.00 @ .* · Unknown/ }).waitFor();
    assert.equal(await own.count(), 1);
    await workbench.balance.filter({ hasText: "· 1 unknown" }).waitFor();
    await workbench.screenshot("orders-after-kill");
  });

  it("sees that the balance proves the bid placed, and the exchange got the bid exactly once", async () => {
    await workbench.enterKey(exchange.baseUrl, livePair);
    await workbench.orders.filter({ hasText: /1,100\.00 @ .* · Accepted, confirmed by balance/ }).waitFor();
    assert.equal(await own.count(), 1);
    await workbench.balance.filter({ hasText: `${name} 998,900.00 THB` }).waitFor();
    assert.doesNotMatch(await workbench.balance.innerText(), /unknown/);
    assert.equal(exchange.requests.placeBid, 1);
    await workbench.screenshot("orders-after-kill-placed");
  });

  it("sees at once that the bid may have been placed, and where", async () => {
    await bidUnanswered(workbench, exchange, "900");
    await workbench.outcome(/your order may have been placed/);
    await workbench.orders.filter({ hasText: /900\.00 @ .* · Unknown/ }).waitFor();
    await workbench.balance.filter({ hasText: "· 1 unknown" }).waitFor();
    await workbench.screenshot("orders-unknown");
  });

  it("sees some seconds later that the balance proves the bid placed; the exchange got the bid once", async () => {
    await workbench.orders.filter({ hasText: /900\.00 @ .* · Accepted, confirmed by balance/ }).waitFor();
    assert.doesNotMatch(await workbench.balance.innerText(), /unknown/);
    assert.equal(exchange.requests.placeBid, 2);
  });

  it("sees a bid as unknown that the exchange never got", async () => {
    exchange.faults.next("placeBid", { kind: "reset", when: "before" });
    await workbench.draft({ amount: "700" });
    await workbench.submit();
    await workbench.answerModal("Place Bid");
    await workbench.orders.filter({ hasText: /700\.00 @ .* · Unknown/ }).waitFor();
    assert.equal(exchange.requests.placeBid, 3);
  });

  describe("whose journal others changed before a restart", () => {
    let bytes: Buffer;
    let damaged: string;

    before(async () => {
      damaged = readdirSync(workbench.journalFolder).at(-1) ?? assert.fail("no journal");
      appendFileSync(join(workbench.journalFolder, damaged), "9 torn by a power cut");
      bytes = readFileSync(join(workbench.journalFolder, damaged));
      const words = "see www.evil.example and https://evil.example $(trash) [x](https://evil.example)";
      const journal = openOrderJournal({ directory: workbench.journalFolder, now: Date.now });
      const intent = bidIntent({ id: randomUUID(), at: Date.now(), amount: "321", venue: "live" });
      journal.recordIntent(intent);
      journal.recordOutcome(intent.id, { state: "unknown", reason: words });
      journal.close();
      await workbench.restart();
    });

    it("sees which line of the journal was damaged, and still every order", async () => {
      await workbench.orders.filter({ hasText: /^\s*Journal\s*1 damaged journal line/ }).waitFor();
      await workbench.orders
        .filter({ hasText: `1 damaged journal line: ` })
        .filter({ hasText: damaged })
        .waitFor();
      await unfoldAccounts();
      for (const bid of [
        /1,100\.00 @ .* · Accepted, confirmed by balance/,
        /900\.00 @ .* · Accepted, confirmed by balance/,
        /700\.00 @ .* · Unknown/,
      ]) {
        await workbench.orders.filter({ hasText: bid }).waitFor();
      }
      await workbench.screenshot("orders-set-aside");
      const now = readFileSync(join(workbench.journalFolder, damaged));
      assert.deepEqual(now, bytes, "the damaged line stays as it is");
    });

    it("sees the exchange's message as plain text, without link or icon", async () => {
      // Room for the row, which is the last one.
      await unfold(workbench, "Markets", false);
      const row = workbench.orders.filter({ hasText: /321\.00 @ .* · Unknown/ });
      const hover = workbench.page.locator(".workbench-hover", { hasText: "evil" });
      // A row that is painted again under a resting pointer shows no tooltip.
      await waitFor("the tooltip", async () => {
        await workbench.header("Orders").hover();
        await row.hover();
        return await hover.waitFor({ timeout: 3000 }).then(
          () => true,
          () => false,
        );
      });
      assert.ok((await hover.innerText()).replaceAll(/[\u2060\u00a0]/g, " ").includes("evil.example"));
      assert.equal(await hover.locator("a, .codicon").count(), 0);
      await workbench.screenshot("orders-foreign-words");
      // Away from the list: the tooltip covers other rows.
      await workbench.page.mouse.move(700, 600);
      await unfold(workbench, "Markets");
    });
  });

  describe("who then checked the exchange", () => {
    it("bids again only through the form, which is filled in and not sent", async () => {
      await workbench.ticketIsReady();
      await workbench.draft({ amount: "1" });
      await clickAction(workbench.orders.filter({ hasText: "700.00 @" }), "Order Again");
      const amount = workbench.form.locator("#amount");
      await waitFor("the form to be filled in", async () => (await amount.inputValue()) === "700");
      assert.equal(exchange.requests.placeBid, 3);
    });

    it("can mark the bid, and must confirm the mark", async () => {
      await workbench.balance.filter({ hasText: "· 2 unknown" }).waitFor();
      const row = workbench.orders.filter({ hasText: "700.00 @" });
      const question = workbench.modal.filter({ hasText: "Are you sure this order was not placed?" });
      await rowMenu(workbench, row, "Mark as Not Placed…", question);
      await workbench.screenshot("orders-settle");
      await workbench.answerModal("Mark as Not Placed");
      await workbench.balance.filter({ hasText: "· 1 unknown" }).waitFor();
      // Nothing of the account needs the user any more, and its key is not stored: its orders are folded.
      const account = workbench.orders.filter({ hasText: "not signed in" }).filter({ hasNotText: "unknown" });
      await account.and(workbench.page.locator('[aria-expanded="false"]')).waitFor();
      await expand(account);
      await workbench.orders.filter({ hasText: /700\.00 @ .* · Not placed/ }).waitFor();
    });
  });
});
