import * as vscode from "vscode";
import { panelTypes } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { readChartState } from "../../protocol/chart.ts";
import { registerCommands } from "../commands.ts";
import type { ActivePair } from "../activePair.ts";
import type { Markets } from "../markets/markets.ts";
import { columnFor } from "../pages/pageColumn.ts";
import type { Ticket } from "../ticket/ticket.ts";
import { type ChartContent, ChartPanel } from "./chartPanel.ts";

interface ChartWindow {
  readonly desk: Desk;
  readonly activePair: ActivePair;
  readonly markets: Markets;
  readonly ticket: Ticket;
}

/**
 * Manages the charts, one per pair. At most one chart follows the active pair; all others are locked to theirs.
 */
export class Charts extends Disposable implements vscode.WebviewPanelSerializer {
  readonly #extensionUri: vscode.Uri;
  readonly #window: ChartWindow;
  readonly #panels = new Map<string, vscode.WebviewPanel>();
  /** The chart of each panel in `#panels`. */
  readonly #charts = new Map<vscode.WebviewPanel, ChartPanel>();
  /** The unlocked chart. */
  #follower: vscode.WebviewPanel | undefined;
  /** The pair of the last clicked row. */
  #clicked: string | undefined;

  constructor(context: vscode.ExtensionContext, window: ChartWindow) {
    super();
    this.#extensionUri = context.extensionUri;
    this.#window = window;
    const { activePair, markets } = window;
    this.register(
      vscode.window.registerWebviewPanelSerializer(panelTypes.chart, this),
      registerCommands({
        openChart: (pair) => this.#pick(pair),
        glanceAtChart: () => this.#glanceAt(markets.selected),
      }),
      activePair.onDidSet((symbol) => void this.#follow(symbol)),
      () => [...this.#panels.values()].forEach((panel) => panel.dispose()),
    );
  }

  /** Restores a chart after a window reload. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const restored = readChartState(state);
    if (restored === undefined || this.#panels.has(restored.symbol)) return void panel.dispose();
    if (!restored.locked) this.#follower ??= panel;
    this.#attach(panel, restored);
  }

  /** Opens the chart of a row, of a symbol, of the active pair, or of a pair that the user picks. */
  async #pick(argument: unknown): Promise<void> {
    const { activePair, markets } = this.#window;
    const symbol =
      (await markets.symbolOf(argument)) ??
      activePair.symbol ??
      (await markets.pickPair(vscode.l10n.t("Open Chart")))?.symbol;
    if (symbol === undefined) return;
    await this.#open(symbol, false);
    activePair.set(symbol);
  }

  /** Opens the chart of a clicked row. The focus stays in the rows unless the same row is clicked twice. */
  async #glanceAt(symbol: string | undefined): Promise<void> {
    if (symbol === undefined) return;
    const isSecondClick = symbol === this.#clicked && this.#panels.has(symbol);
    this.#clicked = symbol;
    await this.#open(symbol, !isSecondClick);
  }

  /** The active pair changed. A chart that is not visible stays as it is. */
  async #follow(symbol: string): Promise<void> {
    const shown = this.#panels.get(symbol);
    if (this.#follower?.visible && !shown?.visible) await this.#open(symbol, true);
  }

  /**
   * Shows the pair's existing chart, or replaces the following chart with a new one that keeps its interval.
   */
  async #open(symbol: string, preserveFocus: boolean): Promise<void> {
    const shown = this.#panels.get(symbol);
    if (shown) return shown.reveal(undefined, preserveFocus);
    const before = this.#follower;
    const interval = before && this.#charts.get(before)?.interval;
    const viewColumn = before?.viewColumn ?? columnFor(panelTypes.chart);
    const panel = vscode.window.createWebviewPanel(panelTypes.chart, symbol, { viewColumn, preserveFocus });
    this.#follower = panel;
    before?.dispose();
    this.#attach(panel, { symbol, interval, locked: false });
  }

  #attach(panel: vscode.WebviewPanel, content: ChartContent): void {
    const { desk, activePair, ticket } = this.#window;
    const { symbol } = content;
    this.#panels.set(symbol, panel);
    const locked = panel !== this.#follower;
    const chart = new ChartPanel(panel, { ...content, locked }, this.#extensionUri, desk, {
      open: (fill) => ticket.open(fill),
      lock: (isLocked) => this.#lock(panel, isLocked),
    });
    this.#charts.set(panel, chart);
    const makeActive = (): void => {
      if (panel.active) activePair.set(symbol);
    };
    panel.onDidChangeViewState(makeActive);
    panel.onDidDispose(() => {
      this.#panels.delete(symbol);
      this.#charts.delete(panel);
      if (this.#follower === panel) this.#follower = undefined;
      chart.dispose();
    });
    makeActive();
  }

  /** Unlocking a chart locks the one that followed before. */
  #lock(panel: vscode.WebviewPanel, isLocked: boolean): void {
    if (!isLocked) this.#follower = panel;
    else if (this.#follower === panel) this.#follower = undefined;
    for (const [each, chart] of this.#charts) chart.setLocked(each !== this.#follower);
  }
}
