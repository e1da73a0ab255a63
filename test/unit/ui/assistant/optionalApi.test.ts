import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { commandIds } from "../../../../src/contributions.ts";
import { HollowWindow } from "../../../support/fakes/activatedWindow.ts";
import { HollowStore, lm } from "../../../support/fakes/vscode.ts";
import { waitFor } from "../../../support/waitFor.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

describe("an editor without an optional API", () => {
  const offered = { ...lm };
  let storage: string;
  let opened: HollowWindow | undefined;
  beforeEach(() => void (storage = temporaryFolder()));
  afterEach(() => {
    opened?.close();
    Object.assign(lm, offered);
  });

  for (const missing of [
    ["registerMcpServerDefinitionProvider"],
    ["registerTool"],
    ["registerTool", "registerMcpServerDefinitionProvider"],
  ] as const)
    it(`activates the whole extension: no ${missing.join(", no ")}`, async () => {
      for (const name of missing) Reflect.deleteProperty(lm, name);
      opened = await HollowWindow.open(new HollowStore() as unknown as vscode.SecretStorage, storage);
      const window = opened;
      await waitFor("the practice exchange", () => window.status.text.includes("Practice"));
      await waitFor("its balance", () => window.status.text.includes("THB"));
      await assert.doesNotReject(window.run(commandIds.placeBid));
    });
});
