import * as vscode from "vscode";
import { settingKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import type { Holding, Portfolio } from "../../market/holdings/portfolio.ts";
import { type Decimal, parseDecimal, plainText } from "../../market/numbers/decimal.ts";
import { unitNames } from "../../market/numbers/unitNames.ts";
import { ask } from "../quickInput.ts";
import { hiddenBelow, save } from "../settings.ts";
import { figureProblemText, readFigure, understoodText } from "../text/typedFigure.ts";
import { currentPortfolio } from "./portfolioText.ts";

/** Holdings worth at least `below`, and the others. One of unknown value is never small. */
export function splitHoldings(
  { holdings }: Portfolio,
  below: Decimal | undefined,
): { readonly shown: readonly Holding[]; readonly small: readonly Holding[] } {
  const isSmall = ({ value }: Holding): boolean => below !== undefined && value?.lt(below) === true;
  return { shown: holdings.filter((each) => !isSmall(each)), small: holdings.filter(isSmall) };
}

/** Command "Hide Small Balances…": prompts for the value below which Wallet hides a balance. */
export async function askHiddenBelow(desk: Desk): Promise<void> {
  const quote = currentPortfolio(desk)?.quote ?? "";
  const field = { units: unitNames(quote) };
  const below = hiddenBelow();
  const typed = await ask({
    title: vscode.l10n.t("Hide Small Balances"),
    prompt: vscode.l10n.t("Hide balances worth less than this, in {0}. Enter 0 to show all.", quote),
    value: below ? plainText(below) : "",
    placeHolder: "10",
    problem: (text) => (parseDecimal(readFigure(text, field)) ? undefined : figureProblemText(text, field)),
    understood: (text) => understoodText(text, field),
  });
  const given = typed === undefined ? undefined : parseDecimal(readFigure(typed, field));
  if (given) await save(settingKeys.hideBelow, given.gt("0") ? plainText(given) : undefined);
}
