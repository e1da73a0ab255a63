import assert from "node:assert/strict";
import { SelectedLine } from "../../../../src/ui/selectedLine.ts";
import type { ExtensionContext, WebviewPanel } from "vscode";
import type { Desk } from "../../../../src/desk/desk.ts";
import type { FromChart, ToChart } from "../../../../src/protocol/chart.ts";
import { root } from "../../../../tools/paths.ts";
import { close, openTestDesk, readAll, unattended } from "../../../support/desks/testDesk.ts";
import { FakeTimers, settle } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf } from "../../../support/fakes/venue.ts";
import { bringToFront, HollowPanel, loadUi, panels, WindowParts } from "../../../support/fakes/vscode.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { Charts } = await loadUi(() => import("../../../../src/ui/chart/charts.ts"));
const { ActivePair } = await loadUi(() => import("../../../../src/ui/activePair.ts"));

/** An exchange with three pairs, whose price histories are empty. */
class Exchange extends FakeClient {
  override tickersAnswer = () =>
    Promise.resolve(snapshotOf(tickerOf("THB_BTC"), tickerOf("THB_ETH"), tickerOf("THB_XRP")));
  readonly history = () => Promise.resolve([]);
}

/** The page of a chart in its panel. */
class Page {
  readonly panel: HollowPanel;
  isOpen = true;
  #market: Extract<ToChart, { type: "market" }> | undefined;
  /** The last one from another chart. */
  crosshair: Extract<ToChart, { type: "crosshair" }> | undefined;

  constructor(panel: HollowPanel) {
    this.panel = panel;
    panel.onDidDispose(() => (this.isOpen = false));
    panel.onDidPost((posted) => {
      const message = posted as ToChart;
      if (message.type === "market") this.#market = message;
      if (message.type === "crosshair") this.crosshair = message;
    });
  }

  /** The symbol and the interval that the page begins with. */
  async begins(): Promise<readonly [symbol: string, interval: string]> {
    const [, symbol = "", interval = ""] =
      /"symbol":"(\w+)","interval":"(\w+)"/.exec(await this.panel.page) ?? assert.fail("no setup");
    return [symbol, interval];
  }

  get isLocked(): boolean {
    return (this.#market ?? assert.fail("no market")).locked;
  }

  send(message: FromChart): void {
    this.panel.receive(message);
  }
}

describe("the charts", () => {
  let desk: Desk;
  let timers: FakeTimers;
  let folder: string;
  let charts: InstanceType<typeof Charts>;
  let activePair: InstanceType<typeof ActivePair>;
  let window: WindowParts;
  let pages: Page[];
  /** The symbol of the selected row of Markets. */
  let selected: string | undefined;

  beforeEach(async () => {
    panels.length = 0;
    pages = [];
    selected = undefined;
    bringToFront((window = new WindowParts()));
    folder = temporaryFolder();
    const client = new Exchange();
    desk = await openTestDesk({
      client,
      storage: folder,
      timers: (timers = new FakeTimers()),
      window: unattended,
    });
    await readAll(desk);
    const context = { extensionUri: { fsPath: root } } as ExtensionContext;
    activePair = new ActivePair(desk.tickers);
    const markets = {
      get selected() {
        return selected;
      },
      symbolOf: (argument: unknown) => Promise.resolve(argument),
      pickPair: () => assert.fail("asked for a pair"),
    };
    charts = new Charts(context, {
      desk,
      activePair,
      markets,
      ticket: {},
      selectedLine: new SelectedLine(),
    } as never);
  });
  afterEach(async () => {
    charts.dispose();
    await close(desk);
  });

  /** Lets each new page load and report, as it does when the editor shows it. */
  async function settled(): Promise<void> {
    for (const panel of panels.splice(0)) {
      const page = new Page(panel);
      pages.push(page);
      panel.setVisible(true);
      const [, interval] = await page.begins();
      page.send({ type: "ready", interval: interval as "1m", isFilled: false });
    }
    await settle();
  }

  /** The symbols of the open charts, the oldest first. */
  const open = async (): Promise<readonly string[]> =>
    await Promise.all(pages.filter(({ isOpen }) => isOpen).map(async (page) => (await page.begins())[0]));
  const chartOf = async (symbol: string): Promise<Page> => {
    for (const page of pages.toReversed())
      if (page.isOpen && (await page.begins())[0] === symbol) return page;
    return assert.fail(symbol);
  };

  /** Runs a command as the editor does: the new panel has the focus. */
  async function command(name: "openChart" | "previewChart", ...given: unknown[]): Promise<void> {
    await window.commands.get(`bidside.${name}`)?.(...given);
    await settled();
  }

  async function click(symbol: string): Promise<void> {
    selected = symbol;
    activePair.set(symbol);
    await settled();
    await command("previewChart");
  }

  it("open for the active pair without asking, and make their pair active", async () => {
    activePair.set("THB_ETH");
    await command("openChart");
    assert.deepEqual(await open(), ["THB_ETH"]);
    await command("openChart", "THB_BTC");
    assert.equal(activePair.symbol, "THB_BTC");
  });

  it("show the pair of a clicked order, alert or asset, and make it active", async () => {
    await click("THB_ETH");
    await command("previewChart", "THB_BTC");
    assert.deepEqual(await open(), ["THB_BTC"]);
    assert.equal(activePair.symbol, "THB_BTC");
  });

  it("are shown once their page has loaded", async () => {
    let isShown = false;
    const shown = charts.show("THB_BTC").then(() => (isShown = true));
    await settle();
    assert.equal(isShown, false);
    await settled();
    await shown;
    assert.equal(activePair.symbol, "THB_BTC");
  });

  it("take the focus at a double click, and not when a row of the same pair is clicked later", async () => {
    await click("THB_BTC");
    const { panel } = await chartOf("THB_BTC");
    for (const [ms, timesFocused] of [
      [3000, 0],
      [300, 1],
      [3000, 1],
    ] as const) {
      await timers.advance(ms);
      await command("previewChart", "THB_BTC");
      assert.equal(panel.timesFocused, timesFocused);
    }
  });

  it("follow the active pair with one chart, unless it is locked", async () => {
    await click("THB_BTC");
    activePair.set("THB_ETH");
    await settled();
    assert.deepEqual(await open(), ["THB_ETH"]);
    const first = await chartOf("THB_ETH");
    first.send({ type: "lock", locked: true });
    assert.ok(first.isLocked);
    activePair.set("THB_XRP");
    await settled();
    assert.deepEqual(await open(), ["THB_ETH"], "a locked chart stays, and no other one opens");
    await click("THB_XRP");
    assert.deepEqual(await open(), ["THB_ETH", "THB_XRP"]);
    first.send({ type: "lock", locked: false });
    assert.deepEqual([first.isLocked, (await chartOf("THB_XRP")).isLocked], [false, true]);
  });

  it("keep the interval when the chart follows to another pair, but not that of a locked chart", async () => {
    await click("THB_BTC");
    (await chartOf("THB_BTC")).send({ type: "interval", interval: "1h" });
    activePair.set("THB_ETH");
    await settled();
    const next = await chartOf("THB_ETH");
    assert.deepEqual(await next.begins(), ["THB_ETH", "1h"]);
    next.send({ type: "lock", locked: true });
    await click("THB_XRP");
    assert.deepEqual(await (await chartOf("THB_XRP")).begins(), ["THB_XRP", "1m"]);
  });

  it("stay unchanged while hidden", async () => {
    await click("THB_BTC");
    (await chartOf("THB_BTC")).panel.setVisible(false);
    activePair.set("THB_ETH");
    await settled();
    assert.deepEqual(await open(), ["THB_BTC"]);
  });

  it("open twice for one pair, and share the time of their crosshair", async () => {
    await click("THB_BTC");
    const first = await chartOf("THB_BTC");
    first.send({ type: "interval", interval: "1h" });
    first.send({ type: "openBeside" });
    await settled();
    const second = await chartOf("THB_BTC");
    assert.notEqual(first, second);
    assert.deepEqual(
      [await second.begins(), first.isLocked, second.isLocked],
      [["THB_BTC", "1h"], false, true],
    );
    first.send({ type: "crosshair", at: 60_000 });
    assert.deepEqual([first.crosshair?.at, second.crosshair?.at], [undefined, 60_000]);
    first.panel.setVisible(false);
    assert.equal(second.crosshair?.at, undefined);
    second.send({ type: "crosshair", at: 120_000 });
    assert.equal(first.crosshair?.at, undefined, "a hidden page shows none");
    activePair.set("THB_ETH");
    await settled();
    assert.deepEqual(await open(), ["THB_BTC", "THB_BTC"]);
    await click("THB_XRP");
    assert.deepEqual(await open(), ["THB_BTC", "THB_XRP"]);
  });

  describe("after a window reload", () => {
    /** Restores a panel with what the editor kept of its page. Undefined if the panel is closed at once. */
    async function restore(pageState: unknown): Promise<Page | undefined> {
      const panel = new HollowPanel();
      let isOpen = true;
      panel.onDidDispose(() => (isOpen = false));
      await charts.deserializeWebviewPanel(panel as unknown as WebviewPanel, pageState);
      if (!isOpen) return undefined;
      panels.push(panel);
      await settled();
      return pages.at(-1);
    }

    const pageState = { symbol: "THB_BTC", interval: "1h", view: "table" };

    it("restore pair, interval and lock of their pages", async () => {
      const follower = await restore(pageState);
      const locked = await restore({ ...pageState, symbol: "THB_ETH", locked: true });
      assert.deepEqual([await follower?.begins(), follower?.isLocked], [["THB_BTC", "1h"], false]);
      assert.deepEqual([await locked?.begins(), locked?.isLocked], [["THB_ETH", "1h"], true]);
    });

    it("are closed if the state of their pages is unreadable", async () => {
      assert.equal(await restore({ symbol: "THB_BTC" }), undefined);
    });

    it("exist once per pair unless they are locked, and one of them follows the active pair", async () => {
      const follower = await restore(pageState);
      assert.equal(await restore({ ...pageState, interval: "1d" }), undefined);
      const other = await restore({ ...pageState, symbol: "THB_ETH" });
      assert.deepEqual([follower?.isLocked, other?.isLocked], [false, true]);
      const beside = await restore({ ...pageState, interval: "1d", locked: true });
      assert.deepEqual([await beside?.begins(), beside?.isLocked], [["THB_BTC", "1d"], true]);
    });
  });
});
