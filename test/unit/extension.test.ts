import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { loadUi, shownMessages } from "../support/fakes/vscode.ts";

const { activate } = await loadUi(() => import("../../src/extension.ts"));

describe("the entry of the extension", () => {
  it("shows the user why the app could not start, and rejects the activation", async () => {
    shownMessages.length = 0;
    const secrets = (): never => {
      throw new Error("no storage", { cause: new Error("disk full") });
    };
    const context = Object.defineProperty({ subscriptions: [] }, "secrets", { get: secrets });
    await assert.rejects(activate(context as unknown as vscode.ExtensionContext), /no storage/);
    assert.deepEqual(
      shownMessages.map(({ how, text }) => [how, text]),
      [["error", "Bidside could not start: no storage ← disk full"]],
    );
  });
});
