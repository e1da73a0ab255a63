import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as vscode from "vscode";
import { alertCommandIds, settingKeys } from "../../../src/contributions.ts";
import { MOST_ALERTS } from "../../../src/desk/alerts.ts";
import { AlertBook } from "../../../src/journal/alertBook.ts";
import { HollowStore, said, userSettings } from "../../support/hollowEditor.ts";
import { HollowWindow } from "../../support/hollowWindow.ts";
import { waitFor } from "../../support/waitFor.ts";

describe("Add Alert", () => {
  let storage: string;
  let opened: HollowWindow | undefined;
  beforeEach(() => {
    storage = mkdtempSync(join(tmpdir(), "alertMe-"));
    said.length = 0;
  });
  afterEach(() => {
    opened?.close();
    userSettings.clear();
    rmSync(storage, { recursive: true, force: true });
  });

  /** What a person reads who runs the command on a live venue of that address. */
  async function readAt(baseUrl: string): Promise<string[]> {
    userSettings.set(settingKeys.venue, "live").set(settingKeys.baseUrl, baseUrl);
    opened = await HollowWindow.open(new HollowStore() as unknown as vscode.SecretStorage, storage);
    const window = opened;
    await waitFor("the venue to open", () => !window.status.text.startsWith("$(sync)"));
    await opened.run(alertCommandIds.addAlert, "THB_BTC");
    return said.filter(({ how }) => how !== "log" && how !== "command").map(({ text }) => text);
  }

  it("says before its first question that there is no room for another alert, and what makes some", async () => {
    const book = new AlertBook(join(storage, "alerts"));
    for (let count = 0; count < MOST_ALERTS; count += 1) {
      book.put({
        id: randomUUID(),
        venue: "practice",
        origin: "http://127.0.0.1",
        symbol: "THB_BTC",
        rule: { kind: "above", price: "110" },
        repeats: false,
        isOn: false,
        phase: "armed",
        armedAt: 0,
        round: 0,
      });
    }
    assert.deepEqual(await readAt("http://127.0.0.1:9"), [
      "You have 1,000 alerts, which is the limit. Remove one first.",
    ]);
  });

  it("says before its first question that no exchange is open", async () => {
    assert.deepEqual(await readAt(""), [
      "No exchange is open, so there is no price to watch. Switch to an exchange first.",
    ]);
  });
});
