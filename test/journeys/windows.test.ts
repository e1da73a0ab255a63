import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { settingKeys } from "../../src/contributions.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { waitFor } from "../support/waitFor.ts";
import { livePair } from "./support/openLive.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

const ROUNDS = 5;
/** On screen without scrolling. */
const ROW = "THB_ADA";

describe("a trader with two windows", () => {
  let first: Workbench;
  let second: Workbench;
  let exchange: ProxiedPractice;

  before(async () => {
    exchange = await startProxiedPractice({
      credentials: livePair,
      now: Date.now,
    });
    first = await takePractice({ settings: { [settingKeys.refreshSeconds]: 1 } });
    second = await first.secondWindow();
  });
  after(async () => {
    await leaveEditor(first);
    await exchange.close();
  });

  /** Waits for some requests for the market; returns the ms that they took. */
  async function rounds(): Promise<number> {
    const [before, started] = [exchange.requests.tickers, performance.now()];
    await waitFor("some rounds", () => exchange.requests.tickers >= before + ROUNDS, 12_000);
    return performance.now() - started;
  }

  /** The window that asks, by the files in the extension's storage: the process with the highest number. */
  function leader(): { readonly number: number; readonly pid: number } {
    const windows = join(first.storageFolder, "windows");
    const files = globSync("*/*/lead-*", { cwd: windows });
    const newest = files
      .map((file) => ({ number: Number(file.split("-").at(-1)), file }))
      .sort((a, b) => b.number - a.number)[0];
    assert.ok(newest, "nobody leads");
    const pid = Number(readFileSync(join(windows, newest.file), "utf8"));
    return { number: newest.number, pid };
  }

  it("has one practice account: a bid in one window is at once in the other's orders and balance", async () => {
    for (const window of [first, second])
      await window.balance.filter({ hasText: "Practice 1,000,000.00 THB" }).waitFor();
    await first.openTicket();
    await first.draft({ symbol: "THB_BTC", amount: "1000" });
    await first.form.locator("#use-best-ask").click();
    await first.submit();
    await first.answerModal("Place Practice Bid");
    await first.outcome("Practice accepted your order: 1,000.00 THB");
    for (const window of [first, second]) {
      await window.balance.filter({ hasText: "Practice 999,000.00 THB" }).waitFor();
      await window.orders.filter({ hasText: /Buy BTC.*(% filled|\d% @|Filled @)/ }).waitFor();
    }
    await second.screenshot("second-window");
  });

  it("sees prices move in both windows, with one request a second for both", async () => {
    for (const window of [first, second]) {
      await window.goLive(exchange.baseUrl);
      await window.row(ROW).waitFor();
    }
    const prices = (): Promise<string[]> =>
      Promise.all([first, second].map((window) => window.row(ROW).innerText()));
    const before = await prices();
    const tookMs = await rounds();
    assert.ok(tookMs > (ROUNDS - 1) * 1000, `${ROUNDS} requests in ${tookMs.toFixed(0)} ms`);
    await waitFor("both prices to move", async () =>
      (await prices()).every((text, index) => text !== before[index]),
    );
    console.log(`      two windows: ${ROUNDS} requests in ${(tookMs / 1000).toFixed(1)} s`);
  });

  it("still sees prices move after the asking window dies, with no more requests than before", async () => {
    const { number, pid } = leader();
    process.kill(pid, "SIGKILL");
    const next = await waitFor("another to lead", () => leader().number > number && leader());
    assert.notEqual(next.pid, pid);
    const tookMs = await rounds();
    assert.ok(tookMs > (ROUNDS - 1) * 1000, `${ROUNDS} requests in ${tookMs.toFixed(0)} ms`);
  });
});
