import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { Orders } from "../../src/desk/orders.ts";
import { openOrderJournal } from "../../src/journal/orderJournal.ts";
import { exportOrders } from "../../src/ui/orderActions.ts";

describe("Export Orders", () => {
  const { showSaveDialog, showErrorMessage, setStatusBarMessage } = vscode.window;
  let folder: string;
  let orders: Orders;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "export-"));
    orders = new Orders({
      open: () => Promise.resolve(openOrderJournal({ directory: join(folder, "orders"), now: Date.now })),
      newId: () => assert.fail("nothing is bid"),
      now: Date.now,
      trouble: (error) => assert.fail(String(error)),
    });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showSaveDialog, showErrorMessage, setStatusBarMessage });
    await orders.close();
    rmSync(folder, { recursive: true });
  });

  /** What a person reads who chooses that place, and what the log gets. */
  async function exportTo(path: string): Promise<{ said: unknown[]; logged: string[] }> {
    const said: unknown[] = [];
    const logged: string[] = [];
    const keep = (...given: unknown[]) => void said.push(...given);
    Object.assign(vscode.window, {
      showSaveDialog: () => Promise.resolve(vscode.Uri.file(path)),
      showErrorMessage: (...given: unknown[]) => Promise.resolve(keep(...given)),
      setStatusBarMessage: (text: string) => keep(text),
    });
    const log = { error: (line: string) => void logged.push(line) };
    await exportOrders(orders, log as unknown as vscode.LogOutputChannel);
    return { said, logged };
  }

  it("says in the status bar where the orders are", async () => {
    const path = join(folder, "bids.json");
    assert.deepEqual(await exportTo(path), { said: [`Orders exported: ${path}`], logged: [] });
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), { bids: [], setAside: [] });
  });

  it("says that a place took nothing, and offers the log, which tells why", async () => {
    const { said, logged } = await exportTo(folder);
    const text = `The orders could not be written to ${folder}. Choose another place.`;
    assert.deepEqual(said, [text, "Show Log"]);
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? "", /^Export Orders: ./);
  });
});
