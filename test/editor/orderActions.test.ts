import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Desk } from "../../src/desk/desk.ts";
import type { Orders } from "../../src/desk/orders/orders.ts";
import { NoResponseError } from "../../src/exchange/errors.ts";
import type { OwnOrder } from "../../src/storage/orders/order.ts";
import { copyOrder, exportFills, exportOrders, settleByHand } from "../../src/ui/orders/orderActions.ts";
import { testFill, testReport } from "../support/builders/reports.ts";
import { testBid } from "../support/builders/client.ts";
import { close, openTestDesk, unattended } from "../support/desks/testDesk.ts";
import { FakeClient } from "../support/fakes/venue.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

describe("the commands for orders", () => {
  const { showSaveDialog, showErrorMessage, showWarningMessage, setStatusBarMessage } = vscode.window;
  let folder: string;
  let desk: Desk;
  let orders: Orders;
  beforeEach(async () => {
    folder = temporaryFolder();
    desk = await openTestDesk({ client: new FakeClient(), storage: folder, window: unattended });
    ({ orders } = desk);
  });
  afterEach(async () => {
    Object.assign(vscode.window, {
      showSaveDialog,
      showErrorMessage,
      showWarningMessage,
      setStatusBarMessage,
    });
    await close(desk);
  });

  /** The message to a user who chooses that place, and the lines of the log. */
  async function exportTo(
    path: string,
    run = exportOrders,
  ): Promise<{ messages: unknown[]; logged: string[] }> {
    const messages: unknown[] = [];
    const logged: string[] = [];
    const record = (...given: unknown[]) => void messages.push(...given);
    Object.assign(vscode.window, {
      showSaveDialog: () => Promise.resolve(vscode.Uri.file(path)),
      showErrorMessage: (...given: unknown[]) => Promise.resolve(record(...given)),
      setStatusBarMessage: (text: string) => record(text),
    });
    const log = { error: (line: string) => void logged.push(line) };
    await run({ orders, accounts: desk.accounts, log: log as unknown as vscode.LogOutputChannel });
    return { messages, logged };
  }

  it("say in the status bar where the orders were exported to", async () => {
    const path = join(folder, "orders.json");
    assert.deepEqual(await exportTo(path), { messages: [`Orders exported: ${path}`], logged: [] });
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), { orders: [], skippedLines: [] });
  });

  it("say that an export failed, and offer the log, which has the reason", async () => {
    const { messages, logged } = await exportTo(folder);
    const text = `The orders could not be exported to ${folder}. Close it if another program uses it, or choose another folder.`;
    assert.deepEqual(messages, [text, "Show Log"]);
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? "", /^Export Orders: ./);
  });

  it("write every known fill and its results into a file, and say where", async () => {
    const { signedIn: venue = assert.fail() } = desk.venue;
    await orders.recordReports([testReport({ fills: [testFill("1", "4")] })], venue);
    const path = join(folder, "fills.csv");
    const { messages } = await exportTo(path, exportFills);
    assert.deepEqual(messages, [`Fills and results exported: ${path}`]);
    const lines = readFileSync(path, "utf8").trimEnd().split("\r\n");
    assert.deepEqual(
      lines.map((line) => line.split(",")[0]),
      ['\ufeff"row"', '"fill"', '"lot"'],
    );
    const failed = await exportTo(folder, exportFills);
    assert.deepEqual(failed.messages, [
      `The fills could not be exported to ${folder}. Close it if another program uses it, or choose another folder.`,
      "Show Log",
    ]);
    assert.match(failed.logged[0] ?? "", /^Export Fills and Results: ./);
  });

  /** A bid that gets no answer. */
  async function unknownBid(): Promise<OwnOrder> {
    const { signedIn: venue = assert.fail() } = desk.venue;
    const [bid, error] = [testBid(), new NoResponseError("placeBid", "timeout", "10 s")];
    await orders.recordOutcome(await orders.recordIntent(bid, venue, undefined), {
      kind: "unknown",
      venue,
      order: bid,
      error,
    });
    return orders.own[0] ?? assert.fail();
  }

  for (const [as, button] of [
    ["accepted", "Mark as Placed"],
    ["notPlaced", "Mark as Not Placed"],
  ] as const) {
    it(`confirm before a bid is marked as ${as}, and record only a yes, as the user's decision`, async () => {
      const bid = await unknownBid();
      const asked: unknown[][] = [];
      const answers = [undefined, button];
      Object.assign(vscode.window, {
        showWarningMessage: (...given: unknown[]) => {
          asked.push(given);
          return Promise.resolve(answers.shift());
        },
      });
      const desk = { orders, venue: { venue: undefined }, balances: {} } as unknown as Desk;
      await settleByHand(desk, bid, as);
      assert.equal(orders.own[0]?.state, "unknown");
      await settleByHand(desk, bid, as);
      assert.equal(orders.own[0]?.state, as);
      assert.ok(orders.own[0]?.evidence.some((event) => event.kind === "settled" && event.by === "user"));
      assert.equal(asked.length, 2);
      for (const [, { modal, detail }, ...buttons] of asked as [string, vscode.MessageOptions, string][]) {
        assert.deepEqual([modal, buttons], [true, [button]]);
        assert.match(detail ?? "", /THB_BTC[^]*Check your orders and balance on the exchange first\./);
      }
    });
  }

  it("copy a bid's details to the clipboard, one line each", async () => {
    await copyOrder(await unknownBid());
    const lines = (await vscode.env.clipboard.readText()).split("\n");
    assert.ok(lines.length > 4);
    assert.match(lines.join("\n"), /THB_BTC/);
  });
});
