import assert from "node:assert/strict";
import type { ExtensionContext, WebviewPanel } from "vscode";
import { readChartState } from "../../../../src/protocol/chart.ts";
import { HollowPanel, loadUi } from "../../../support/fakes/vscode.ts";

const { Charts } = await loadUi(() => import("../../../../src/ui/chart/charts.ts"));

describe("the charts of an editor that was reloaded", () => {
  /** What each chart began with. */
  let began: unknown[];
  let charts: InstanceType<typeof Charts>;

  beforeEach(() => {
    began = [];
    class Noted {
      constructor(_panel: unknown, content: unknown) {
        began.push(content);
      }
      dispose(): void {}
    }
    const late = () => Promise.resolve({ ChartPanel: Noted as never, readChartState });
    const context = { extensionUri: { fsPath: "" } } as ExtensionContext;
    charts = new Charts(context, {} as never, {} as never, {} as never, late);
  });
  afterEach(() => charts.dispose());

  /** Restores a panel with what the editor kept of its page. Returns whether the panel is still open. */
  async function restore(kept: unknown): Promise<boolean> {
    const panel = new HollowPanel();
    let isOpen = true;
    panel.onDidDispose(() => (isOpen = false));
    await charts.deserializeWebviewPanel(panel as unknown as WebviewPanel, kept);
    return isOpen;
  }

  const kept = { symbol: "THB_BTC", interval: "1h", view: "table" };

  it("begin with the pair and the interval that their pages had", async () => {
    assert.equal(await restore(kept), true);
    assert.deepEqual(began, [kept]);
  });

  it("are closed if what was kept of their pages is unreadable", async () => {
    assert.equal(await restore({ symbol: "THB_BTC" }), false);
    assert.deepEqual(began, []);
  });

  it("are one for each pair", async () => {
    await restore(kept);
    assert.equal(await restore({ ...kept, interval: "1d" }), false);
    assert.equal(await restore({ ...kept, symbol: "THB_ETH" }), true);
    assert.equal(began.length, 2);
  });
});
