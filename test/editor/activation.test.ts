import assert from "node:assert/strict";
import * as vscode from "vscode";

describe("The installed extension", () => {
  it("activates", async () => {
    const extension = vscode.extensions.getExtension("bidside.bidside");
    assert.ok(extension, "bidside.bidside is not installed");
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it("registers the command that places a bid", async () => {
    const commands = await vscode.commands.getCommands(true);
    assert.ok(commands.includes("bidside.placeBid"));
  });
});
