import * as vscode from "vscode";
import { alertCommandIds, viewIds } from "../../contributions.ts";
import type { Alerts } from "../../desk/alerts/alerts.ts";
import type { Alert } from "../../market/alertRule.ts";
import { errorLine } from "../../desk/errorLine.ts";
import type { Desk } from "../../desk/desk.ts";
import type { PickPair } from "../markets/markets.ts";
import { TimedRows } from "../text/timedRows.ts";
import type { AlertQuestionParts, AlertWish } from "./alertPrompt.ts";

export interface AlertsViewParts {
  readonly desk: Desk;
  readonly pickPair: PickPair;
  readonly log: vscode.LogOutputChannel;
}

/**
 * The Alerts view and its commands. The alerts are loaded right after activation, because an alert that is on must
 * watch.
 */
export class AlertsView implements vscode.TreeDataProvider<Alert>, vscode.Disposable {
  readonly onDidChangeTreeData: vscode.Event<Alert[] | undefined>;
  readonly #parts: AlertsViewParts;
  readonly view: vscode.TreeView<Alert>;
  readonly #changed = new vscode.EventEmitter<Alert[] | undefined>();
  readonly #times: TimedRows<Alert>;
  readonly #alerts: Promise<Alerts>;
  readonly #disposables: vscode.Disposable[] = [];
  /** The text of a row; nothing is painted before it is known. */
  #textOf: (alert: Alert) => string = () => "";

  constructor(parts: AlertsViewParts) {
    this.#parts = parts;
    this.onDidChangeTreeData = this.#changed.event;
    this.view = vscode.window.createTreeView(viewIds.alerts, {
      treeDataProvider: this,
      manageCheckboxStateManually: true,
    });
    this.#times = new TimedRows({
      view: this.view,
      timers: parts.desk.timers,
      textOf: (alert) => this.#textOf(alert),
      repaint: (alerts) => this.#changed.fire(alerts),
    });
    this.#alerts = this.#open();
    this.#alerts.catch((error: unknown) => {
      parts.log.error(`Alerts: ${errorLine(error)}`);
      this.view.message = vscode.l10n.t(
        "The alerts cannot be read, so no alert is active. The log shows why.",
      );
    });
    const commands: Record<keyof typeof alertCommandIds, (given: unknown) => Promise<void>> = {
      addAlert: (given) => this.#add(wishOf(given)),
      editAlert: (given) => this.#edit(idOf(given)),
      removeAlert: (given) => this.#remove(idOf(given)),
      rearmAlert: (given) => this.#rearm(idOf(given)),
    };
    const names = Object.keys(alertCommandIds) as (keyof typeof alertCommandIds)[];
    this.#disposables.push(
      ...names.map((name) => vscode.commands.registerCommand(alertCommandIds[name], commands[name])),
      this.view.onDidChangeCheckboxState(({ items }) => void this.#switch(items)),
      this.view.onDidChangeVisibility(({ visible }) => visible && void this.#seen()),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && void this.#reread()),
    );
  }

  async getChildren(alert?: Alert): Promise<Alert[]> {
    return alert ? [] : [...(await this.#alerts).list];
  }

  async getTreeItem(alert: Alert): Promise<vscode.TreeItem> {
    const { alertItem } = await import("./alertItem.ts");
    const item = alertItem(alert, this.#parts.desk.timers.now());
    this.#textOf = (each) => String(alertItem(each, this.#parts.desk.timers.now()).description);
    this.#times.note(alert, String(item.description));
    return item;
  }

  dispose(): void {
    for (const each of [...this.#disposables, this.#times, this.view, this.#changed]) each.dispose();
  }

  async #open(): Promise<Alerts> {
    const alerts = await this.#parts.desk.alerts();
    alerts.onDidChange(() => this.#show(alerts));
    this.#show(alerts);
    return alerts;
  }

  #show(alerts: Alerts): void {
    const { unseen } = alerts;
    this.view.badge =
      unseen === 0
        ? undefined
        : { value: unseen, tooltip: vscode.l10n.t("Alerts that have fired: {0}", unseen) };
    this.#times.clear();
    this.#changed.fire(undefined);
  }

  async #add(wish: AlertWish): Promise<void> {
    const alerts = await this.#alerts;
    if (alerts.problem) {
      const { alertsProblemText } = await import("./alertText.ts");
      void vscode.window.showWarningMessage(alertsProblemText(alerts.problem));
      return;
    }
    const { addAlert } = await import("./alertPrompt.ts");
    await this.#reveal(await addAlert(this.#questions(alerts), wish));
  }

  async #edit(id: string): Promise<void> {
    const alerts = await this.#alerts;
    const alert = alerts.get(id);
    if (!alert) return;
    const { editAlert } = await import("./alertPrompt.ts");
    await this.#reveal(await editAlert(this.#questions(alerts), alert));
  }

  async #remove(id: string): Promise<void> {
    const alerts = await this.#alerts;
    const { kept } = await import("./keptAlert.ts");
    kept(
      this.#parts.log,
      () => alerts.remove(id),
      (reason) => vscode.l10n.t("The alert was not removed. {0}", reason),
    );
  }

  async #rearm(id: string): Promise<void> {
    const alerts = await this.#alerts;
    const { kept } = await import("./keptAlert.ts");
    kept(this.#parts.log, () => alerts.rearm(id));
  }

  async #reveal(alert: Alert | undefined): Promise<void> {
    if (alert) await this.view.reveal(alert, { select: true });
  }

  async #switch(items: readonly (readonly [Alert, vscode.TreeItemCheckboxState])[]): Promise<void> {
    await this.#whenOpen((alerts) => {
      for (const isOn of [true, false]) {
        const ids = items
          .filter(([, state]) => (state === vscode.TreeItemCheckboxState.Checked) === isOn)
          .map(([{ id }]) => id);
        alerts.switch(ids, isOn);
      }
    });
  }

  #questions(alerts: Alerts): AlertQuestionParts {
    const { desk, pickPair, log } = this.#parts;
    return { alerts, tickers: desk.tickers, pickPair, log };
  }

  /** Looking at the view marks the fired alerts as seen. Their icons stay until the next change. */
  #seen(): Promise<void> {
    return this.#whenOpen((alerts) => alerts.markSeen());
  }

  #reread(): Promise<void> {
    return this.#whenOpen((alerts) => {
      alerts.reread();
      if (this.view.visible) alerts.markSeen();
    });
  }

  /** Does nothing if the alerts could not be opened, which the view says. */
  async #whenOpen(task: (alerts: Alerts) => void): Promise<void> {
    const alerts = await this.#alerts.catch(() => undefined);
    if (alerts) task(alerts);
  }

  /** Needed for `reveal`; all rows are roots. */
  getParent(): undefined {
    return undefined;
  }
}

/** A row of Markets or Alerts, a symbol, or what a chart points at. */
function wishOf(given: unknown): AlertWish {
  if (typeof given === "string") return { symbol: given };
  if (typeof given !== "object" || given === null) return {};
  const { symbol, price } = given as { symbol?: unknown; price?: unknown };
  return {
    symbol: typeof symbol === "string" ? symbol : undefined,
    price: typeof price === "string" ? price : undefined,
  };
}

function idOf(given: unknown): string {
  return typeof given === "object" && given !== null && "id" in given ? String(given.id) : "";
}
