import assert from "node:assert/strict";
import type { ExtensionContext, WebviewPanel } from "vscode";
import type { Interval } from "../../../../src/market/candle.ts";
import { readChartState } from "../../../../src/protocol/chart.ts";
import type { ChartActions } from "../../../../src/ui/chart/chartPanel.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { bringToFront, HollowPanel, loadUi, panels, WindowParts } from "../../../support/fakes/vscode.ts";

const { Charts } = await loadUi(() => import("../../../../src/ui/chart/charts.ts"));
const { FrontPair } = await loadUi(() => import("../../../../src/ui/frontPair.ts"));

/** A chart without a page. */
class Noted {
  readonly content: { readonly symbol: string; readonly interval?: Interval; readonly locked?: boolean };
  readonly actions: ChartActions;
  interval: Interval;
  isLocked: boolean;
  isOpen = true;

  constructor(
    _panel: unknown,
    content: Noted["content"],
    _uri: unknown,
    _desk: unknown,
    actions: ChartActions,
  ) {
    this.content = content;
    this.actions = actions;
    this.interval = content.interval ?? "1m";
    this.isLocked = content.locked === true;
  }

  setLocked(isLocked: boolean): void {
    this.isLocked = isLocked;
  }

  dispose(): void {
    this.isOpen = false;
  }
}

describe("the charts", () => {
  let made: Noted[];
  let charts: InstanceType<typeof Charts>;
  let front: InstanceType<typeof FrontPair>;
  let window: WindowParts;
  /** The symbol of the selected row of Markets. */
  let selected: string | undefined;

  beforeEach(() => {
    made = [];
    panels.length = 0;
    bringToFront((window = new WindowParts()));
    class Made extends Noted {
      constructor(...given: ConstructorParameters<typeof Noted>) {
        super(...given);
        made.push(this);
      }
    }
    const late = () => Promise.resolve({ ChartPanel: Made as never, readChartState });
    const context = { extensionUri: { fsPath: "" } } as ExtensionContext;
    front = new FrontPair({ ticker: (symbol) => tickerOf(symbol) });
    const markets = {
      get selected() {
        return selected;
      },
      symbolOf: (argument: unknown) => Promise.resolve(argument),
      pickPair: () => assert.fail("asked for a pair"),
    };
    charts = new Charts(context, { desk: {}, front, markets, ticket: {} } as never, late);
  });
  afterEach(() => charts.dispose());

  const open = () => made.filter(({ isOpen }) => isOpen).map(({ content }) => content.symbol);
  const chartOf = (symbol: string) =>
    made.findLast(({ content, isOpen }) => isOpen && content.symbol === symbol) ?? assert.fail(symbol);

  /** Runs a command as the editor does: the new panel has the focus. */
  async function command(name: "openChart" | "glanceAtChart", ...given: unknown[]): Promise<void> {
    const before = panels.length;
    await window.commands.get(`bidside.${name}`)?.(...given);
    for (const panel of panels.slice(before)) panel.setVisible(true);
  }

  async function click(symbol: string): Promise<void> {
    selected = symbol;
    front.set(symbol);
    await settled();
    await command("glanceAtChart");
  }

  const settled = () => new Promise((done) => setImmediate(done));

  it("open for the pair in front without asking, and put their own pair in front", async () => {
    front.set("THB_ETH");
    await command("openChart");
    assert.deepEqual(open(), ["THB_ETH"]);
    await command("openChart", "THB_BTC");
    assert.equal(front.symbol, "THB_BTC");
  });

  it("follow the pair in front with one chart, which a lock holds on its pair", async () => {
    await click("THB_BTC");
    front.set("THB_ETH");
    await settled();
    panels.at(-1)?.setVisible(true);
    assert.deepEqual(open(), ["THB_ETH"]);
    chartOf("THB_ETH").actions.lock(true);
    assert.ok(chartOf("THB_ETH").isLocked);
    front.set("THB_XRP");
    await settled();
    assert.deepEqual(open(), ["THB_ETH"], "a locked chart stays, and none opens by itself");
    await click("THB_XRP");
    assert.deepEqual(open(), ["THB_ETH", "THB_XRP"]);
    chartOf("THB_ETH").actions.lock(false);
    assert.deepEqual([chartOf("THB_ETH").isLocked, chartOf("THB_XRP").isLocked], [false, true]);
  });

  it("keep the chosen interval when the chart follows to the next pair, but not of a locked chart", async () => {
    await click("THB_BTC");
    chartOf("THB_BTC").interval = "1h";
    front.set("THB_ETH");
    await settled();
    assert.equal(chartOf("THB_ETH").interval, "1h");
    chartOf("THB_ETH").actions.lock(true);
    await click("THB_XRP");
    assert.equal(chartOf("THB_XRP").interval, "1m");
  });

  it("stay as they are while nobody sees them", async () => {
    await click("THB_BTC");
    panels.at(-1)?.setVisible(false);
    front.set("THB_ETH");
    await settled();
    assert.deepEqual(open(), ["THB_BTC"]);
  });

  describe("of an editor that was reloaded", () => {
    /** Restores a panel with what the editor kept of its page. Returns whether the panel is still open. */
    async function restore(kept: unknown): Promise<boolean> {
      const panel = new HollowPanel();
      let isOpen = true;
      panel.onDidDispose(() => (isOpen = false));
      await charts.deserializeWebviewPanel(panel as unknown as WebviewPanel, kept);
      return isOpen;
    }

    const kept = { symbol: "THB_BTC", interval: "1h", view: "table" };

    it("begin with the pair, the interval and the lock that their pages had", async () => {
      assert.equal(await restore(kept), true);
      assert.equal(await restore({ ...kept, symbol: "THB_ETH", locked: true }), true);
      assert.deepEqual(
        made.map(({ content }) => content),
        [
          { ...kept, locked: false },
          { ...kept, symbol: "THB_ETH", locked: true },
        ],
      );
    });

    it("are closed if what was kept of their pages is unreadable", async () => {
      assert.equal(await restore({ symbol: "THB_BTC" }), false);
      assert.deepEqual(made, []);
    });

    it("are one for each pair, and one of them follows the pair in front", async () => {
      await restore(kept);
      assert.equal(await restore({ ...kept, interval: "1d" }), false);
      assert.equal(await restore({ ...kept, symbol: "THB_ETH" }), true);
      assert.deepEqual(
        made.map(({ isLocked }) => isLocked),
        [false, true],
      );
    });
  });
});
