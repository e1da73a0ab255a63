import * as vscode from "vscode";
import type { StudyId } from "../../market/studies.ts";

/** Names of studies, without their figures. */
export function studyNames(): Readonly<Record<StudyId, string>> {
  return {
    sma: vscode.l10n.t("SMA"),
    ema: vscode.l10n.t("EMA"),
    bollinger: vscode.l10n.t("Bollinger"),
    vwap: vscode.l10n.t("VWAP"),
    volume: vscode.l10n.t("Volume"),
    rsi: vscode.l10n.t("RSI"),
    macd: vscode.l10n.t("MACD"),
  };
}
