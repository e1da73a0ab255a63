import * as vscode from "vscode";
import { viewIds } from "../../contributions.ts";
import type { Alerts } from "../../desk/alerts/alerts.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { errorLine } from "../../desk/errorLine.ts";
import type { Alert } from "../../market/alertRule.ts";
import { executeCommand, fieldOf, registerCommands, symbolOf } from "../commands.ts";
import { focusedRow, meansFocused } from "../focusedRow.ts";
import type { ActivePair } from "../activePair.ts";
import type { Markets } from "../markets/markets.ts";
import { problemLines } from "../text/channelProblem.ts";
import { PausedPainting } from "../paintPause.ts";
import { TimedRows } from "../text/timedRows.ts";
import { alertItem } from "./alertItem.ts";
import { addAlert, type AlertRequest, editAlert } from "./alertPrompt.ts";
import { alertsProblemText, alreadyBeyondText } from "./alertText.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { saveOrReport } from "./saveOrReport.ts";
import { revealRow } from "../revealRow.ts";
import { alertLineKey, type SelectedLine } from "../selectedLine.ts";

interface AlertsWindow {
  readonly activePair: ActivePair;
  readonly selectedLine: SelectedLine;
}

/** The Alerts view and its commands. Opens the alerts at once, because active alerts must watch prices. */
export class AlertsView extends Disposable implements vscode.TreeDataProvider<Alert> {
  readonly #desk: Desk;
  readonly #markets: Markets;
  readonly #changed = this.register(new vscode.EventEmitter<Alert[] | undefined>());
  readonly #painting: PausedPainting<Alert>;
  readonly onDidChangeTreeData = this.#changed.event;
  readonly view: vscode.TreeView<Alert>;
  readonly #times: TimedRows<Alert>;
  readonly #alerts: Promise<Alerts>;
  /** Set when the first row is painted. */
  #textOf: (alert: Alert) => string = () => "";

  constructor(desk: Desk, markets: Markets, { activePair, selectedLine }: AlertsWindow) {
    super();
    this.#desk = desk;
    this.#markets = markets;
    this.#painting = this.register(new PausedPainting(desk.timers, (alerts) => this.#changed.fire(alerts)));
    this.view = this.register(
      vscode.window.createTreeView(viewIds.alerts, {
        treeDataProvider: this,
        manageCheckboxStateManually: true,
      }),
    );
    this.#times = this.register(
      new TimedRows({
        view: this.view,
        timers: desk.timers,
        textOf: (alert) => this.#textOf(alert),
        repaint: (alerts) => this.#painting.paint(alerts),
      }),
    );
    this.#alerts = this.#open();
    this.#alerts.catch((error: unknown) => {
      desk.log.error(`Alerts: ${errorLine(error)}`);
      this.view.message = vscode.l10n.t(
        "The alerts cannot be read, so no alert is active. The log shows why.",
      );
    });
    this.register(
      registerCommands({
        addAlert: (at) => this.#add(requestOf(at, activePair.symbol)),
        editAlert: (alert) => this.#edit(idOf(alert)),
        removeAlert: async (alert) => {
          const id = idOf(meansFocused(alert) ? await focusedRow(this.view) : alert);
          await this.#save(
            (alerts) => alerts.remove(id),
            (reason) => vscode.l10n.t("The alert was not removed. {0}", reason),
          );
        },
        previewAlert: () => {
          const [alert] = this.view.selection;
          if (alert) return executeCommand("previewChart", alert.symbol);
        },
        rearmAlert: (alert) => this.#turnOn([idOf(alert)], (alerts) => alerts.rearm(idOf(alert))),
      }),
      desk.tickers.onDidChangePaced(({ change }) => {
        if (change?.rowsChanged) this.#painting.paint(undefined);
      }),
      selectedLine.follow(this.view, alertLineKey),
      this.view.onDidChangeCheckboxState(({ items }) => void this.#switch(items)),
      this.view.onDidChangeVisibility(({ visible }) => visible && void this.#markSeen()),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && void this.#reread()),
    );
  }

  async getChildren(alert?: Alert): Promise<Alert[]> {
    return alert ? [] : [...(await this.#alerts).list];
  }

  getTreeItem(alert: Alert): vscode.TreeItem {
    const { timers, tickers } = this.#desk;
    const isKnown = tickers.state.tickers.size > 0;
    const itemOf = (each: Alert): vscode.TreeItem => {
      const ticker = tickers.ticker(each.symbol);
      return alertItem(each, ticker, timers.now(), !isKnown || ticker !== undefined);
    };
    const item = itemOf(alert);
    this.#textOf = (each) => String(itemOf(each).description);
    this.#times.note(alert, String(item.description));
    return item;
  }

  async #open(): Promise<Alerts> {
    const alerts = await this.#desk.alerts();
    alerts.onDidChange(() => this.#show(alerts));
    this.register(this.#desk.notifications.onDidChange(() => this.#show(alerts)));
    this.#show(alerts);
    return alerts;
  }

  #show(alerts: Alerts): void {
    const { unseen, ofOtherAccounts, newer } = alerts;
    const messages: string[] = [];
    if (ofOtherAccounts > 0)
      messages.push(
        vscode.l10n.t(
          "Alerts of other accounts: {0}. They stay on, and appear here when you switch to their account.",
          ofOtherAccounts,
        ),
      );
    if (newer > 0)
      messages.push(
        vscode.l10n.t(
          "Alerts of a newer version of Bidside: {0}. They are not active here. Update Bidside to use them.",
          newer,
        ),
      );
    messages.push(...problemLines(this.#desk.notifications.problems));
    this.view.message = messages.join(" ");
    this.view.badge =
      unseen === 0
        ? undefined
        : { value: unseen, tooltip: vscode.l10n.t("Alerts that have fired: {0}", unseen) };
    this.#times.clear();
    this.#painting.paint(undefined);
  }

  async #add(request: AlertRequest): Promise<void> {
    const alerts = await this.#alerts;
    if (alerts.problem) {
      void vscode.window.showWarningMessage(alertsProblemText(alerts.problem));
      return;
    }
    await this.#reveal(await addAlert(this.#desk, alerts, this.#markets, request));
  }

  async #edit(id: string): Promise<void> {
    const alerts = await this.#alerts;
    const alert = alerts.get(id);
    if (!alert) return;
    await this.#reveal(await editAlert(this.#desk, alerts, alert));
  }

  async #save(change: (alerts: Alerts) => void, failed?: (reason: string) => string): Promise<void> {
    const alerts = await this.#alerts;
    saveOrReport(this.#desk.log, () => change(alerts), failed);
  }

  async #reveal(alert: Alert | undefined): Promise<void> {
    this.#painting.catchUp();
    if (alert) await revealRow(this.view, alert, { select: true });
  }

  async #switch(items: readonly (readonly [Alert, vscode.TreeItemCheckboxState])[]): Promise<void> {
    for (const isOn of [true, false]) {
      const ids = items
        .filter(([, state]) => (state === vscode.TreeItemCheckboxState.Checked) === isOn)
        .map(([{ id }]) => id);
      if (ids.length === 0) continue;
      if (isOn) await this.#turnOn(ids, (alerts) => alerts.switch(ids, true));
      else
        await this.#save(
          (alerts) => alerts.switch(ids, false),
          (reason) => vscode.l10n.t("The alert was not turned off. It may still fire. {0}", reason),
        );
    }
  }

  /** Turns alerts on, and says if one does not fire at once. */
  async #turnOn(ids: readonly string[], change: (alerts: Alerts) => void): Promise<void> {
    await this.#save(change, (reason) => vscode.l10n.t("The alert was not turned on. {0}", reason));
    const alerts = await this.#alerts;
    for (const alert of ids.flatMap((id) => alerts.get(id) ?? [])) {
      const text = alreadyBeyondText(alert, this.#desk.tickers.ticker(alert.symbol));
      if (text !== undefined) showStatusMessage(text);
    }
  }

  /** Showing the view marks fired alerts as seen. Their icons stay until the next change. */
  #markSeen(): Promise<void> {
    return this.#whenOpen((alerts) => alerts.markSeen());
  }

  #reread(): Promise<void> {
    return this.#whenOpen((alerts) => {
      alerts.reread();
      if (this.view.visible) alerts.markSeen();
    });
  }

  /** Does nothing if the alerts could not be opened; the view shows that. */
  async #whenOpen(task: (alerts: Alerts) => void): Promise<void> {
    const alerts = await this.#alerts.catch(() => undefined);
    if (alerts) task(alerts);
  }

  /** Needed for `reveal`; all rows are roots. */
  getParent(): undefined {
    return undefined;
  }
}

/** The argument may be a row of Markets or Alerts, a symbol, or a point in a chart. Falls back to the active pair. */
function requestOf(argument: unknown, activePair: string | undefined): AlertRequest {
  const price = fieldOf(argument, "price");
  return {
    symbol: symbolOf(argument) ?? activePair,
    price: typeof price === "string" ? price : undefined,
  };
}

function idOf(argument: unknown): string {
  return String(fieldOf(argument, "id") ?? "");
}
