import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { loadUi, said } from "../support/fakes/vscode.ts";

const { activate } = await loadUi(() => import("../../src/extension.ts"));

describe("the entry of the extension", () => {
  it("tells the user why the app could not start, and lets the editor know", async () => {
    said.length = 0;
    const secrets = (): never => {
      throw new Error("no storage", { cause: new Error("disk full") });
    };
    const context = Object.defineProperty({ subscriptions: [] }, "secrets", { get: secrets });
    await assert.rejects(activate(context as unknown as vscode.ExtensionContext), /no storage/);
    assert.deepEqual(
      said.map(({ how, text }) => [how, text]),
      [["error", "Bidside could not start: no storage ← disk full"]],
    );
  });
});
