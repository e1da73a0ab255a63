import assert from "node:assert/strict";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { findPair } from "./support/openChart.ts";
import { livePair } from "./support/openLive.ts";
import { leaveEditor, takeEditor } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("the chart of a live exchange with a history", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;

  before(async () => {
    exchange = await startProxiedPractice({ credentials: livePair, now: Date.now });
    workbench = await takeEditor();
    await workbench.goLive(exchange.baseUrl);
  });
  after(async () => {
    await leaveEditor(workbench);
    await exchange.close();
  });

  it("says why a history failed, and shows the history after another try", async () => {
    await workbench.row("THB_BTC").waitFor();
    await findPair(workbench, "THB_BTC");
    exchange.faults.next("history", { kind: "code", when: "before", code: 11 });
    await workbench.command("Bidside: Open Chart");
    const { chart } = workbench;
    await chart.locator("#note", { hasText: /The price history cannot be shown\. .* error 11/ }).waitFor();
    assert.deepEqual(await workbench.violations(), []);
    await workbench.screenshot("chart-failed");
    await chart.locator("#action", { hasText: "Show Log" }).click();
    await workbench.page.locator(".output-view-container, .output-view").first().waitFor();
    await chart.locator("#retry").click();
    await chart.locator("#legend-close", { hasText: /\d/ }).waitFor();
    assert.equal(await chart.locator("#note").innerText(), "");
    await workbench.command("View: Hide Panel");
  });
});
