import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { commandIds } from "../../src/contributions.ts";
import type { ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { openOrderJournal } from "../../src/storage/orders/orderJournal.ts";
import { bidIntent } from "../support/builders/bidIntent.ts";
import { livePair, startLive } from "./support/live.ts";
import { TRY_MS, until } from "./support/repeat.ts";
import { rowMenu } from "./support/rows.ts";
import { leaveEditor, takeLive, unfold } from "./support/sharedEditor.ts";
import { type Workbench } from "./support/workbench.ts";

describe("a trader whose editor is killed, or whose connection breaks, during an order", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;
  /** A file of the journal that was damaged before the restart. */
  let damaged: string;
  let bytes: Buffer;

  before(async () => {
    exchange = await startLive();
    workbench = await takeLive(exchange.baseUrl);
    await openTicket();
  });
  after(async () => {
    await leaveEditor();
    await exchange.close();
  });

  async function openTicket(): Promise<void> {
    await workbench.run(commandIds.placeBid, "THB_BTC");
    await workbench.form.locator("#use-best-ask").click();
  }

  const order = (text: RegExp): Locator => workbench.orders.filter({ hasText: text });

  /** Bids; the connection breaks before the exchange got the bid, or after that. */
  async function bidUnanswered(amount: string, when: "before" | "after"): Promise<void> {
    await workbench.draft({ amount });
    exchange.faults.next("placeBid", { kind: "reset", when });
    await workbench.submit();
    await workbench.answerModal("Buy");
  }

  /** Others change the journal: a power cut tears a line, and an exchange's message looks like links and icons. */
  function damage(): void {
    damaged = readdirSync(workbench.journalFolder).at(-1) ?? assert.fail("no journal");
    appendFileSync(join(workbench.journalFolder, damaged), "9 torn by a power cut");
    bytes = readFileSync(join(workbench.journalFolder, damaged));
    const words = "see www.evil.example and https://evil.example $(trash) [x](https://evil.example)";
    const journal = openOrderJournal({ directory: workbench.journalFolder, now: Date.now });
    const intent = bidIntent({
      id: randomUUID(),
      at: Date.now(),
      amount: "321",
      venue: "live",
      account: "1".repeat(16),
    });
    journal.recordIntent(intent);
    journal.recordOutcome(intent.id, { state: "unknown", reason: words });
    journal.close();
  }

  it("sees that a bid may have been placed, after the exchange accepted it and dropped the connection", async () => {
    await bidUnanswered("1100", "after");
    await workbench.outcome(/your order may have been placed/);
    await order(/ · Unknown · 1\.1K/).waitFor();
    await workbench.balance.filter({ hasText: "· 1 unknown" }).waitFor();
    assert.equal(exchange.requests.placeBid, 1);
  });

  it("finds the bid again, still unknown, after kill -9 and a restart, and a damaged line of the journal", async () => {
    await workbench.killAndRestart(damage);
    await order(/^\s*Journal\s*1 damaged journal line/).waitFor();
    await order(/1 damaged journal line: /)
      .filter({ hasText: damaged })
      .waitFor();
    await order(/ · Unknown · 1\.1K/).waitFor();
    assert.equal(await order(/ · 1\.1K/).count(), 1);
    const now = readFileSync(join(workbench.journalFolder, damaged));
    assert.deepEqual(now, bytes, "the damaged line stays as it is");
  });

  it("sees the exchange's message as plain text, without link or icon", async () => {
    // Room for the row, which is the last one.
    await unfold(workbench, "Markets", false);
    const hover = workbench.page.locator(".workbench-hover", { hasText: "evil" });
    // A row that is painted again under a resting pointer shows no tooltip.
    await until("the tooltip of a row", async () => {
      await workbench.header("Orders").hover();
      await order(/ · Unknown · 321/).hover();
      await hover.waitFor({ timeout: TRY_MS });
      return true;
    });
    assert.ok((await hover.innerText()).replaceAll(/[\u2060\u00a0]/g, " ").includes("evil.example"));
    assert.equal(await hover.locator("a, .codicon").count(), 0);
    // Away from the list: the tooltip covers other rows.
    await workbench.page.mouse.move(700, 600);
    await unfold(workbench, "Markets");
  });

  it("sees how the balance changed before marking the bid as placed, and the exchange got it exactly once", async () => {
    await workbench.enterKey(livePair);
    await workbench.balance.filter({ hasText: "Live 998,900 THB" }).waitFor();
    const question = workbench.modal.filter({ hasText: "fell by exactly 1,100.00 THB" });
    await rowMenu(workbench, order(/ · 1\.1K/), "Mark as Placed…", question);
    await workbench.answerModal("Mark as Placed");
    await order(/ · Accepted, marked by you · 1\.1K/).waitFor();
    assert.equal(await order(/ · 1\.1K/).count(), 1);
    assert.equal(exchange.requests.placeBid, 1);
  });

  it("bids again after an unanswered bid only through the ticket, which is filled in and not sent", async () => {
    await openTicket();
    await bidUnanswered("700", "before");
    await order(/ · Unknown · 700/).waitFor();
    await workbench.draft({ amount: "1" });
    const isFilledIn = async (): Promise<boolean> => (await workbench.figure("amount")) === "700";
    await rowMenu(workbench, order(/ · 700/), "Order Again", isFilledIn);
    assert.equal(exchange.requests.placeBid, 2);
  });

  it("can mark the bid after a look at the exchange, and must confirm the mark", async () => {
    const question = workbench.modal.filter({ hasText: "Are you sure this order was not placed?" });
    await rowMenu(workbench, order(/ · 700/), "Mark as Not Placed…", question);
    await workbench.answerModal("Mark as Not Placed");
    await order(/ · Not placed · 700/).waitFor();
  });
});
