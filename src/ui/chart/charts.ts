import * as vscode from "vscode";
import { panelTypes } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import type { Interval } from "../../market/intervals.ts";
import { readChartState } from "../../protocol/chart.ts";
import { registerCommands } from "../commands.ts";
import type { ActivePair } from "../activePair.ts";
import type { Markets } from "../markets/markets.ts";
import { columnFor } from "../pages/pageColumn.ts";
import type { SelectedLine } from "../selectedLine.ts";
import type { Ticket } from "../ticket/ticket.ts";
import { type ChartContent, ChartPanel } from "./chartPanel.ts";

interface ChartWindow {
  readonly desk: Desk;
  readonly activePair: ActivePair;
  readonly markets: Markets;
  readonly ticket: Ticket;
  readonly selectedLine: SelectedLine;
}

interface OpenChart {
  readonly symbol: string;
  readonly panel: vscode.WebviewPanel;
  readonly chart: ChartPanel;
}

/** Two clicks on a pair within this time, ms, count as a double click: the editor reports each click alone. */
const DOUBLE_CLICK_MS = 700;

/**
 * Manages the charts. At most one follows the active pair; all others are locked to theirs. The user may open a second chart of
 * a pair beside the first one. All share the time of their crosshair.
 */
export class Charts extends Disposable implements vscode.WebviewPanelSerializer {
  readonly #extensionUri: vscode.Uri;
  readonly #window: ChartWindow;
  readonly #charts = new Set<OpenChart>();
  /** The unlocked chart. */
  #follower: OpenChart | undefined;
  /** The pair of the last clicked row, and when it was clicked, ms since the epoch. */
  #clicked: { readonly symbol: string; readonly at: number } | undefined;

  constructor(context: vscode.ExtensionContext, window: ChartWindow) {
    super();
    this.#extensionUri = context.extensionUri;
    this.#window = window;
    const { activePair, markets } = window;
    this.register(
      vscode.window.registerWebviewPanelSerializer(panelTypes.chart, this),
      registerCommands({
        openChart: (pair) => this.#pick(pair),
        previewChart: (symbol) => this.#preview(typeof symbol === "string" ? symbol : markets.selected),
      }),
      activePair.onDidSet((symbol) => void this.#follow(symbol)),
      () => [...this.#charts].forEach(({ panel }) => panel.dispose()),
    );
  }

  /** Restores a chart after a window reload. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const restored = readChartState(state);
    if (!restored || (!restored.locked && this.#of(restored.symbol))) return void panel.dispose();
    this.#attach(panel, restored, !restored.locked && !this.#follower);
  }

  /** Opens the chart of a pair and makes the pair active. The focus stays where it is. Resolves when the page has loaded. */
  async show(symbol: string): Promise<void> {
    await this.#open(symbol, true);
    this.#window.activePair.set(symbol);
    await this.#of(symbol)?.chart.loaded;
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

  /** Opens the chart of a clicked row and makes its pair active. The focus stays in the rows unless it is a double click. */
  async #preview(symbol: string | undefined): Promise<void> {
    if (symbol === undefined) return;
    const { activePair, desk } = this.#window;
    const [clicked, at] = [this.#clicked, desk.timers.now()];
    this.#clicked = { symbol, at };
    const isDoubleClick = clicked?.symbol === symbol && Math.abs(at - clicked.at) < DOUBLE_CLICK_MS;
    await this.#open(symbol, !isDoubleClick);
    if (activePair.symbol !== symbol) activePair.set(symbol);
  }

  /** The active pair changed. A chart that is not visible stays as it is. */
  async #follow(symbol: string): Promise<void> {
    const [shown, follower] = [this.#of(symbol), this.#follower];
    if (follower?.panel.visible && !shown?.panel.visible) await this.#open(symbol, true);
  }

  /**
   * Shows the pair's existing chart, or replaces the following chart with a new one that keeps its interval.
   */
  async #open(symbol: string, preserveFocus: boolean): Promise<void> {
    const shown = this.#of(symbol);
    if (shown) return shown.panel.reveal(undefined, preserveFocus);
    const before = this.#follower;
    const viewColumn = before?.panel.viewColumn ?? columnFor(panelTypes.chart);
    const panel = vscode.window.createWebviewPanel(panelTypes.chart, symbol, { viewColumn, preserveFocus });
    this.#follower = undefined;
    before?.panel.dispose();
    this.#attach(panel, { symbol, interval: before?.chart.interval }, true);
  }

  /** Opens another chart of the pair in the next column, for another interval. */
  #openBeside(symbol: string, interval: Interval): void {
    const viewColumn = vscode.ViewColumn.Beside;
    const panel = vscode.window.createWebviewPanel(panelTypes.chart, symbol, { viewColumn });
    this.#attach(panel, { symbol, interval }, false);
  }

  /** The chart of a pair: the one that follows, else the oldest. */
  #of(symbol: string): OpenChart | undefined {
    if (this.#follower?.symbol === symbol) return this.#follower;
    return [...this.#charts].find((each) => each.symbol === symbol);
  }

  #attach(panel: vscode.WebviewPanel, content: ChartContent, follows: boolean): void {
    const { desk, activePair, ticket, selectedLine } = this.#window;
    const { symbol } = content;
    const chart = new ChartPanel(panel, { ...content, locked: !follows }, this.#extensionUri, desk, {
      selectedLine,
      open: (fill) => ticket.open(fill),
      lock: (isLocked) => this.#lock(opened, isLocked),
      openBeside: () => this.#openBeside(symbol, chart.interval),
      point: (at) => {
        for (const other of this.#charts) if (other.panel !== panel) other.chart.showCrosshair(at);
      },
    });
    const opened = { symbol, panel, chart };
    this.#charts.add(opened);
    if (follows) this.#follower = opened;
    const makeActive = (): void => {
      if (panel.active) activePair.set(symbol);
    };
    panel.onDidChangeViewState(makeActive);
    panel.onDidDispose(() => {
      this.#charts.delete(opened);
      if (this.#follower === opened) this.#follower = undefined;
      for (const other of this.#charts) other.chart.showCrosshair(undefined);
      chart.dispose();
    });
    makeActive();
  }

  /** Locks or unlocks a chart. Unlocking it locks the one that followed the active pair before. */
  #lock(opened: OpenChart, isLocked: boolean): void {
    if (!isLocked) this.#follower = opened;
    else if (this.#follower === opened) this.#follower = undefined;
    for (const each of this.#charts) each.chart.setLocked(each !== this.#follower);
  }
}
