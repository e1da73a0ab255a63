import * as vscode from "vscode";
import type { Alerts } from "../../desk/alerts/alerts.ts";
import type { Desk } from "../../desk/desk.ts";
import { type DrawnLines, LineRefusedError, MAX_LINES } from "../../desk/drawnLines.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { movedRule } from "../../market/alertRule.ts";
import { type LineShape, MAX_LINE_NAME } from "../../market/drawnLine.ts";
import type { FromChart } from "../../protocol/chart.ts";
import { saveOrReport } from "../alerts/saveOrReport.ts";
import { executeCommand } from "../commands.ts";
import { ask } from "../quickInput.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { diskAdvice } from "../text/diskText.ts";

type LineMessage = Extract<FromChart, { type: "drawLine" | "moveLine" | "editLine" | "removeLine" }>;
type AlertLine = Extract<Extract<LineMessage, { type: "moveLine" }>["ref"], { kind: "alert" }>;

interface Changed {
  readonly symbol: string;
  readonly lines: DrawnLines;
  readonly alerts: Pick<Alerts, "get" | "edit"> | undefined;
  readonly tickers: Pick<Desk["tickers"], "ticker">;
  readonly log: Pick<Desk["log"], "error">;
}

/** Does what the user did with a line of a chart. Reports a failure. */
export async function changeLine(message: LineMessage, changed: Changed): Promise<void> {
  const { lines, symbol } = changed;
  if (message.type === "drawLine") return saveLine(changed, () => lines.draw(symbol, message.shape));
  const { ref } = message;
  const { id } = ref;
  switch (message.type) {
    case "moveLine":
      if (ref.kind === "alert") return moveAlert(ref, message.shape, changed);
      return saveLine(changed, () => lines.change(id, { shape: message.shape }));
    case "editLine":
      if (ref.kind === "alert") return void (await executeCommand("editAlert", changed.alerts?.get(id)));
      return await renameLine(id, changed);
    case "removeLine":
      if (ref.kind === "alert") return void (await executeCommand("removeAlert", { id }));
      return saveLine(changed, () => lines.remove(id));
  }
}

async function renameLine(id: string, changed: Changed): Promise<void> {
  const line = changed.lines.of(changed.symbol).find((each) => each.id === id);
  if (!line) return;
  const name = await ask({
    title: vscode.l10n.t("Rename Line"),
    prompt: vscode.l10n.t("Its label in the chart, at most {0} characters; may be empty", MAX_LINE_NAME),
    value: line.name,
    problem: (text) =>
      text.trim().length > MAX_LINE_NAME
        ? vscode.l10n.t("Use at most {0} characters.", MAX_LINE_NAME)
        : undefined,
  });
  if (name !== undefined) saveLine(changed, () => changed.lines.change(id, { name: name.trim() }));
}

function moveAlert({ id, edge }: AlertLine, shape: LineShape, { alerts, tickers, log }: Changed): void {
  const alert = alerts?.get(id);
  if (!alerts || !alert || shape.kind !== "level") return;
  const rule = movedRule(alert.rule, edge, shape.price, tickers.ticker(alert.symbol)?.last);
  if (!rule) return showStatusMessage(vscode.l10n.t("The alert was not moved: the price is already there."));
  saveOrReport(
    log,
    () => alerts.edit(id, rule, alert.repeats),
    (reason) => vscode.l10n.t("The change was not saved. {0}", reason),
  );
}

function saveLine({ log }: Changed, save: () => void): void {
  try {
    save();
  } catch (error) {
    if (error instanceof LineRefusedError)
      return showStatusMessage(
        vscode.l10n.t("The line was not drawn: a chart has at most {0} lines.", MAX_LINES),
      );
    log.error(`Lines in charts: ${errorLine(error)}`);
    void vscode.window.showErrorMessage(vscode.l10n.t("The line was not saved. {0}", diskAdvice(error)));
  }
}
