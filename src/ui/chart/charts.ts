import * as vscode from "vscode";
import { panelTypes } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import type { readChartState } from "../../protocol/chart.ts";
import { registerCommands } from "../commands.ts";
import type { Markets } from "../markets/markets.ts";
import { columnFor } from "../pages/pageColumn.ts";
import type { Ticket } from "../ticket/ticket.ts";
import type { ChartContent, ChartPanel } from "./chartPanel.ts";

/** What a chart needs at its first use. */
interface LateChart {
  readonly ChartPanel: typeof ChartPanel;
  readonly readChartState: typeof readChartState;
}

/** Access to the charts, one for each pair. A chart's code is loaded at its first use. */
export class Charts extends Disposable implements vscode.WebviewPanelSerializer {
  readonly #extensionUri: vscode.Uri;
  readonly #desk: Desk;
  readonly #markets: Markets;
  readonly #ticket: Ticket;
  readonly #late: () => Promise<LateChart>;
  readonly #panels = new Map<string, vscode.WebviewPanel>();
  /**
   * The chart that was opened by a click on a row. The next click reuses it, unless the person clicked the same row
   * twice.
   */
  #glance: vscode.WebviewPanel | undefined;

  constructor(
    context: vscode.ExtensionContext,
    desk: Desk,
    markets: Markets,
    ticket: Ticket,
    late: () => Promise<LateChart>,
  ) {
    super();
    this.#extensionUri = context.extensionUri;
    this.#desk = desk;
    this.#markets = markets;
    this.#ticket = ticket;
    this.#late = late;
    this.register(
      vscode.window.registerWebviewPanelSerializer(panelTypes.chart, this),
      registerCommands({
        openChart: (pair) => this.#pick(pair),
        glanceAtChart: () => this.#glanceAt(markets.selected),
      }),
      () => [...this.#panels.values()].forEach((panel) => panel.dispose()),
    );
  }

  /** The editor was reloaded while a chart was open: its page says which chart. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { readChartState } = await this.#late();
    const kept = readChartState(state);
    if (kept === undefined || this.#panels.has(kept.symbol)) panel.dispose();
    else await this.#attach(panel, kept);
  }

  /** Opens the chart of a row of Markets, of a symbol, or of a pair that the person chooses. */
  async #pick(argument: unknown): Promise<void> {
    const pick = async () => await this.#markets.pickPair(vscode.l10n.t("Open Chart"));
    const symbol = (await this.#markets.symbolOf(argument)) ?? (await pick())?.symbol;
    if (symbol !== undefined) await this.#open(symbol, false);
  }

  /** Opens the chart of a clicked row. The focus stays in the rows, unless the person clicked the same row twice. */
  async #glanceAt(symbol: string | undefined): Promise<void> {
    if (symbol === undefined) return;
    const shown = this.#panels.get(symbol);
    await this.#open(symbol, !(shown && shown === this.#glance));
  }

  async #open(symbol: string, preserveFocus: boolean): Promise<void> {
    const before = this.#glance;
    const shown = this.#panels.get(symbol);
    if (shown) {
      if (!preserveFocus && shown === before) this.#glance = undefined;
      return shown.reveal(undefined, preserveFocus);
    }
    const viewColumn = before?.viewColumn ?? columnFor(panelTypes.chart);
    const panel = vscode.window.createWebviewPanel(panelTypes.chart, symbol, { viewColumn, preserveFocus });
    before?.dispose();
    if (preserveFocus) this.#glance = panel;
    await this.#attach(panel, { symbol });
  }

  async #attach(panel: vscode.WebviewPanel, content: ChartContent): Promise<void> {
    const { symbol } = content;
    this.#panels.set(symbol, panel);
    panel.onDidDispose(() => {
      this.#panels.delete(symbol);
      if (this.#glance === panel) this.#glance = undefined;
    });
    const { ChartPanel } = await this.#late();
    if (this.#panels.get(symbol) !== panel) return;
    const chart = new ChartPanel(panel, content, this.#extensionUri, this.#desk, this.#ticket);
    panel.onDidDispose(() => chart.dispose());
  }
}
