import assert from "node:assert/strict";
import * as vscode from "vscode";
import { settingKeys } from "../../src/contributions.ts";
import {
  alertProgram,
  fillsGoOutside,
  orderLimits,
  refreshIntervalMs,
  statusBalance,
  webhookIsOn,
} from "../../src/ui/settings.ts";
import { applySettings } from "../support/editorSettings.ts";

const { Global, Workspace } = vscode.ConfigurationTarget;

async function set(key: string, value: unknown, target: vscode.ConfigurationTarget = Global): Promise<void> {
  await vscode.workspace.getConfiguration().update(key, value, target);
}

describe("the settings", () => {
  afterEach(async () => {
    await applySettings();
  });

  it("limit the refresh interval to 1 to 3600 seconds", async () => {
    for (const [given, ms] of [
      [1, 1000],
      [0, 1000],
      [99_999, 3_600_000],
    ] as const) {
      await set(settingKeys.refreshSeconds, given);
      assert.equal(refreshIntervalMs(), ms);
    }
  });

  it("choose the figure in the status bar, and show what is available for anything unknown", async () => {
    for (const [given, shown] of [
      ["todaysResult", "todaysResult"],
      ["total", "total"],
      ["off", "off"],
      ["yesterday", "available"],
      [undefined, "available"],
    ] as const) {
      await set(settingKeys.statusBalance, given);
      assert.equal(statusBalance(), shown);
    }
  });

  it("accept the maximum per order as text or number, and report an unreadable one", async () => {
    const seen: unknown[] = [];
    for (const given of ["50000", 50000, 0.0000001, "50,000", "0", 0, -1, " ", "1e5", ["50000"]]) {
      await set(settingKeys.maximumAmount, given);
      seen.push(orderLimits().maximumAmount?.toString());
    }
    await set(settingKeys.maximumAmount, "");
    assert.deepEqual(seen, ["50000", "50000", "1e-7", ...Array.from({ length: 7 }, () => "unreadable")]);
    assert.equal(orderLimits().maximumAmount, undefined);
  });

  it("that limit orders cannot come from a workspace", async () => {
    const limits = orderLimits();
    for (const key of Object.values(settingKeys).filter((each) => each.startsWith("bidside.orders.")))
      await assert.rejects(set(key, 1, Workspace), key);
    assert.deepEqual(orderLimits(), limits);
  });

  it("that decide where alerts go cannot come from a workspace", async () => {
    for (const [key, value] of [
      [settingKeys.alertWebhook, true],
      [settingKeys.alertSendFills, true],
      [settingKeys.alertProgram, ["touch", "owned"]],
    ] as const)
      await assert.rejects(set(key, value, Workspace), key);
    assert.deepEqual([webhookIsOn(), fillsGoOutside(), alertProgram()], [false, false, []]);
  });
});
