import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds, extensionId, panelTypes } from "../../src/contributions.ts";
import { waitFor } from "../support/waitFor.ts";

describe("the extension", () => {
  it("activates without a request, and exports nothing to other extensions", async () => {
    const extension = vscode.extensions.getExtension<unknown>(extensionId) ?? assert.fail("not installed");
    await waitFor("activation", () => extension.isActive);
    assert.equal(extension.exports, undefined);
  });

  it("registers every contributed command", async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    for (const id of Object.values(commandIds)) {
      assert.ok(registered.has(id), id);
    }
  });

  it("opens one order ticket, for any number of requests", async () => {
    await vscode.commands.executeCommand(commandIds.placeBid);
    await vscode.commands.executeCommand(commandIds.placeBid, { symbol: "THB_BTC" });
    const forms = await waitFor("the ticket's tab", () => {
      const found = vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(
          ({ input }) =>
            input instanceof vscode.TabInputWebview && input.viewType.endsWith(panelTypes.bidForm),
        );
      return found.length > 0 && found;
    });
    assert.equal(forms.length, 1);
    assert.equal(forms[0]?.label, "Order Ticket");
    await vscode.window.tabGroups.close(forms);
  });
});
