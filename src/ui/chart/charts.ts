import * as vscode from "vscode";
import { chartCommandIds, panelTypes } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import type { PickPair, RowMeant } from "../markets/markets.ts";
import { columnFor } from "../pages/pageColumn.ts";
import type { BidForm } from "../ticket/bidForm.ts";

export interface ChartsParts {
  readonly desk: Desk;
  readonly extensionUri: vscode.Uri;
  readonly bidForm: BidForm;
  readonly pickPair: PickPair;
  readonly rowMeant: RowMeant;
  readonly log: vscode.LogOutputChannel;
}

/** Access to the charts, one for each pair. A chart's code is loaded at its first use. */
export class Charts implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #parts: ChartsParts;
  readonly #panels = new Map<string, vscode.WebviewPanel>();
  readonly #disposables: vscode.Disposable[];
  /**
   * The chart that was opened by a click on a row. The next click reuses it, unless the person clicked the same row
   * twice.
   */
  #glance: vscode.WebviewPanel | undefined;

  constructor(parts: ChartsParts) {
    this.#parts = parts;
    this.#disposables = [
      vscode.window.registerWebviewPanelSerializer(panelTypes.chart, this),
      vscode.commands.registerCommand(chartCommandIds.openChart, (given: unknown) => this.#open(given)),
    ];
  }

  /** The editor was reloaded while a chart was open: its page says which chart. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { readChartState } = await import("../../protocol/chart.ts");
    const symbol = readChartState(state)?.symbol;
    if (symbol === undefined || this.#panels.has(symbol)) panel.dispose();
    else await this.#attach(panel, symbol);
  }

  dispose(): void {
    for (const each of [...this.#disposables, ...this.#panels.values()]) each.dispose();
  }

  /** Opens the chart of a row of Markets, of a symbol, or of a pair that the person chooses. */
  async #open(given: unknown): Promise<void> {
    const symbol = (await this.#parts.rowMeant(given)) ?? (await this.#ask());
    if (symbol === undefined) return;
    const before = this.#glance;
    const shown = this.#panels.get(symbol);
    const preserveFocus = isGlance(given) && !(shown && shown === before);
    if (shown) {
      if (!preserveFocus && shown === before) this.#glance = undefined;
      return shown.reveal(undefined, preserveFocus);
    }
    const viewColumn = before?.viewColumn ?? columnFor(panelTypes.chart);
    const panel = vscode.window.createWebviewPanel(panelTypes.chart, symbol, { viewColumn, preserveFocus });
    before?.dispose();
    if (preserveFocus) this.#glance = panel;
    await this.#attach(panel, symbol);
  }

  async #ask(): Promise<string | undefined> {
    const picked = await this.#parts.pickPair(vscode.l10n.t("Open Chart"));
    return picked?.symbol;
  }

  async #attach(panel: vscode.WebviewPanel, symbol: string): Promise<void> {
    this.#panels.set(symbol, panel);
    panel.onDidDispose(() => {
      this.#panels.delete(symbol);
      if (this.#glance === panel) this.#glance = undefined;
    });
    const { ChartPanel } = await import("./chartPanel.ts");
    if (this.#panels.get(symbol) !== panel) return;
    const { desk, extensionUri, bidForm, log } = this.#parts;
    const openHistory = () => desk.openHistory();
    const noteInput = (): void => desk.presence.noteInput();
    const chart = new ChartPanel(panel, symbol, {
      ...desk,
      extensionUri,
      bidForm,
      openHistory,
      noteInput,
      log,
    });
    panel.onDidDispose(() => chart.dispose());
  }
}

/** Whether a row was clicked: the focus then stays in the rows. */
function isGlance(given: unknown): boolean {
  return typeof given === "object" && given !== null && "isGlance" in given;
}
