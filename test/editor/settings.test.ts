import assert from "node:assert/strict";
import * as vscode from "vscode";
import { settingKeys } from "../../src/contributions.ts";
import {
  alertProgram,
  amountsAreHidden,
  fillsGoOutside,
  hiddenBelow,
  historyMaximumBytes,
  orderLimits,
  pairFormat,
  refreshIntervalMs,
  statusBalance,
  statusBarIsHidden,
  timeFormat,
  valuesIn,
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

  it("format pinned pairs as the user wrote, and as usual if the format has a problem", async () => {
    const usual = pairFormat().format;
    await set(settingKeys.pairFormat, "${base} at ${last}");
    assert.deepEqual(pairFormat(), { format: "${base} at ${last}", problem: undefined });
    for (const given of ["${price}", "", "x".repeat(1000), 5]) {
      await set(settingKeys.pairFormat, given);
      const { format, problem } = pairFormat();
      assert.equal(format, usual);
      assert.notEqual(problem, undefined, String(given));
    }
  });

  it("hide the status bar's items, and then every amount", async () => {
    assert.deepEqual([statusBarIsHidden(), amountsAreHidden()], [false, false]);
    await set(settingKeys.hideAmounts, true);
    assert.deepEqual([statusBarIsHidden(), amountsAreHidden()], [false, true]);
    await set(settingKeys.hideAmounts, undefined);
    await set(settingKeys.hideStatusBar, true);
    assert.deepEqual([statusBarIsHidden(), amountsAreHidden()], [true, true]);
    await set(settingKeys.hideStatusBar, "yes");
    assert.deepEqual([statusBarIsHidden(), amountsAreHidden()], [false, false]);
  });

  it("choose the clock, which follows the editor's language for anything unknown", async () => {
    const seen: unknown[] = [];
    for (const given of ["24-hour", "12-hour", "automatic", "13-hour", 24, undefined]) {
      await set(settingKeys.timeFormat, given);
      seen.push(timeFormat());
    }
    assert.deepEqual(seen, ["24-hour", "12-hour", "automatic", "automatic", "automatic", "automatic"]);
  });

  it("choose the asset of values in any case, and leave it to the account if it is no text", async () => {
    const seen: unknown[] = [];
    for (const given of ["usdt", " THB ", "", 5, undefined]) {
      await set(settingKeys.valuesIn, given);
      seen.push(valuesIn());
    }
    assert.deepEqual(seen, ["USDT", "THB", "", "", ""]);
  });

  it("fold balances below a positive amount only", async () => {
    const seen: unknown[] = [];
    for (const given of ["10", "0.5", "0", "-1", "ten", 10, undefined]) {
      await set(settingKeys.hideBelow, given);
      seen.push(hiddenBelow()?.toString());
    }
    const none = Array.from({ length: 5 }, () => undefined);
    assert.deepEqual(seen, ["10", "0.5", ...none]);
  });

  it("limit the disk space of recorded prices and values, and record nothing at zero", async () => {
    const mebibytes: number[] = [];
    for (const given of [1, 0, -5, 1_000_000, "10", undefined]) {
      await set(settingKeys.historyMaximumMegabytes, given);
      mebibytes.push(historyMaximumBytes() / 1024 ** 2);
    }
    assert.deepEqual(mebibytes, [1, 0, 0, 10_000, 50, 50]);
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
