import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type * as vscode from "vscode";
import { commandIds, viewIds } from "../../../../src/contributions.ts";
import { MAX_ALERTS } from "../../../../src/desk/alerts/alerts.ts";
import type { Alert } from "../../../../src/market/alertRule.ts";
import { AlertFiles } from "../../../../src/storage/alertFiles.ts";
import { accountAt, accountIdAt, writeAccounts } from "../../../support/builders/account.ts";
import { testAlert } from "../../../support/builders/testAlert.ts";
import { HollowWindow, recordsIn } from "../../../support/fakes/activatedWindow.ts";
import { HollowStore, shownMessages } from "../../../support/fakes/vscode.ts";
import { waitFor } from "../../../support/waitFor.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

describe("the alerts of a window", () => {
  let storage: string;
  let opened: HollowWindow | undefined;
  beforeEach(() => {
    storage = temporaryFolder();
    shownMessages.length = 0;
  });
  afterEach(() => {
    opened?.close();
  });

  /** The texts that Add Alert shows on a live exchange with this profile. */
  async function readWith(profile: Readonly<Record<string, unknown>>): Promise<string[]> {
    writeAccounts(recordsIn(storage), [accountAt("http://127.0.0.1:9", profile)]);
    const window = await open();
    await waitFor("the venue to open", () => !window.status.text.startsWith("$(sync)"));
    await window.run(commandIds.addAlert, "THB_BTC");
    return read();
  }

  async function open(): Promise<HollowWindow> {
    return (opened = await HollowWindow.open(new HollowStore() as unknown as vscode.SecretStorage, storage));
  }

  const read = (): string[] =>
    shownMessages.filter(({ how }) => how !== "log" && how !== "command").map(({ text }) => text);

  it("have a limit, which Add Alert reports with the remedy before its first prompt", async () => {
    const book = new AlertFiles(join(recordsIn(storage), "alerts"));
    for (let count = 0; count < MAX_ALERTS; count += 1) {
      book.put(testAlert({ id: randomUUID(), isOn: false }));
    }
    assert.deepEqual(await readWith({}), ["You have reached the limit of 1,000 alerts. Remove one first."]);
  });

  it("need an open exchange, which Add Alert reports before its first prompt", async () => {
    assert.deepEqual(await readWith({ headerPrefix: "" }), [
      "No exchange is active, so there is no price to watch. Switch to an exchange first.",
    ]);
  });

  it("bring their pair to the front in the chart when clicked, and the focused one goes with Delete", async () => {
    const origin = "http://127.0.0.1:9";
    const id = accountIdAt(origin);
    const book = new AlertFiles(join(recordsIn(storage), "alerts"));
    for (const symbol of ["THB_BTC", "THB_ETH"])
      book.put(testAlert({ id: randomUUID(), venue: "live", origin, account: id, symbol }));
    writeAccounts(recordsIn(storage), [accountAt(origin)]);
    const window = await open();
    const tree = window.tree(viewIds.alerts);
    const { treeDataProvider: rows } = tree as unknown as {
      treeDataProvider: vscode.TreeDataProvider<Alert>;
    };
    const listed = async (): Promise<Alert[]> => [...((await rows.getChildren()) ?? [])];
    await waitFor("the alerts", async () => (await listed()).length === 2);
    const all = await listed();
    const [bitcoin, ether] = ["THB_BTC", "THB_ETH"].map((each) => all.find(({ symbol }) => symbol === each));
    tree.select(ether);
    await window.run(commandIds.previewAlert);
    const shown = shownMessages.filter(({ text }) => text === commandIds.previewChart);
    assert.deepEqual(
      shown.map(({ more }) => more),
      ['["THB_ETH"]'],
    );
    tree.focused = bitcoin;
    await window.runOn(commandIds.removeAlert, { focused: true });
    assert.deepEqual(
      (await listed()).map(({ symbol }) => symbol),
      ["THB_ETH"],
    );
  });

  it("stay if the disk fails, with a plain error message", async () => {
    const id = randomUUID();
    // A folder in place of the alert's file cannot be removed as a file.
    mkdirSync(join(recordsIn(storage), "alerts", `alert-${id}.json`), { recursive: true });
    await (await open()).runOn(commandIds.removeAlert, { id });
    assert.deepEqual(read(), [
      "The alert was not removed. Free some disk space, or allow Bidside to write to its folder.",
    ]);
  });
});
