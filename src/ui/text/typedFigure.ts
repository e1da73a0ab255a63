import * as vscode from "vscode";
import { meaningsOf, plainOf, type NumberHints } from "../../market/numbers/typedDecimal.ts";
import { figures } from "./numberText.ts";

/** A field of an input box with its unit's names, the shown one first. */
type Field = Pick<NumberHints, "units">;

/** The plain decimal that typed text means in the editor's language; the text itself if it has no meaning, or several. */
export function readFigure(text: string, field: Field): string {
  return plainOf(text, { ...field, figures });
}

/** Why a typed text is not a number: it has two meanings, words or signs that are not of the field, or another form. */
export function figureProblemText(text: string, field: Field = {}): string {
  const [one, other] = meaningsOf(text, field);
  if (one !== undefined && other !== undefined)
    return vscode.l10n.t("{0} can mean {1} or {2}. Enter one of the two.", text, one, other);
  return /[\p{L}\p{Sc}]/u.test(text)
    ? vscode.l10n.t("Leave out letters and currency signs. Use digits, such as 1000 or 0.25.")
    : vscode.l10n.t("Use digits and at most one decimal point, such as 1000 or 0.25.");
}

/** What a typed text was understood as, with its unit; undefined if it says so itself, or has no single meaning. */
export function understoodText(text: string, field: Field): string | undefined {
  const [one, other] = meaningsOf(text, { ...field, figures });
  if (one === undefined || other !== undefined || one === text.trim()) return undefined;
  return vscode.l10n.t("Read as {0}.", [figures.quantity(one), ...(field.units ?? []).slice(0, 1)].join(" "));
}
