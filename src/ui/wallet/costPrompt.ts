import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { knownTrades } from "../../desk/portfolio/knownTrades.ts";
import { averageCost } from "../../market/holdings/cost.ts";
import type { Holding } from "../../market/holdings/portfolio.ts";
import { Decimal, parseDecimal, plainText } from "../../market/numbers/decimal.ts";
import { unitNames } from "../../market/numbers/unitNames.ts";
import type { PairTrades } from "../../storage/orders/tradeBook.ts";
import { fieldOf, showLogLink, offer } from "../commands.ts";
import { askStep, back, choose } from "../quickInput.ts";
import { amountsAreHidden } from "../settings.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { diskAdvice } from "../text/diskText.ts";
import { figureProblemText, readFigure, understoodText } from "../text/typedFigure.ts";
import { currentPortfolio } from "./portfolioText.ts";

const ZERO = new Decimal("0");

/**
 * Command "Set Cost Basis…": asks what was paid for an asset bought elsewhere, and records it. A quantity of zero
 * removes an entered cost. Without a row, the user picks an asset first.
 */
export async function enterCost(desk: Desk, row: unknown): Promise<void> {
  const { venue, orders } = desk;
  const portfolio = currentPortfolio(desk);
  const at = venue.signedIn;
  if (!portfolio || !at) return;
  const valued = portfolio.holdings.flatMap((each) =>
    each.ticker ? [{ ...each, ticker: each.ticker }] : [],
  );
  const asset = fieldOf(fieldOf(row, "holding"), "asset") ?? (await pickAsset(valued));
  const holding = valued.find((each) => each.asset === asset);
  if (!holding) return;
  const { quote } = holding.ticker.pair;
  const answer = await askBoth(holding, quote, knownTrades(desk.orders, at).of(holding.asset, quote));
  if (!answer) return;
  try {
    await orders.recordCost({
      ...at.ref,
      quote,
      base: holding.asset,
      quantity: plainText(answer.quantity),
      cost: plainText(answer.quantity.times(answer.rate)),
    });
  } catch (error) {
    const text = vscode.l10n.t(
      "The cost basis of {0} could not be saved. Nothing changed. {1}",
      holding.asset,
      diskAdvice(error),
    );
    return await offer("showErrorMessage", text, showLogLink());
  }
  showStatusMessage(
    answer.quantity.eq(ZERO)
      ? vscode.l10n.t("The cost basis of {0} was removed.", holding.asset)
      : vscode.l10n.t("The cost basis of {0} was saved.", holding.asset),
  );
}

/** The quantity held or sold beyond the known purchases. */
export function quantityWithoutCost(amount: Decimal, known: PairTrades | undefined): Decimal {
  const { held, soldWithoutCost } = averageCost(known?.trades ?? []);
  const missing = amount.minus(held).plus(soldWithoutCost);
  return missing.gt(ZERO) ? missing : ZERO;
}

async function askBoth(
  { asset, amount }: Holding,
  quote: string,
  known: PairTrades | undefined,
): Promise<{ readonly quantity: Decimal; readonly rate: Decimal } | undefined> {
  const title = vscode.l10n.t("Set Cost Basis: {0}", asset);
  const { entered } = known ?? {};
  // Never fills in a hidden balance.
  const missing = quantityWithoutCost(amount, known);
  let quantityTyped = amountsAreHidden() ? "" : plainText(entered?.quantity ?? missing);
  let rateTyped = entered && !amountsAreHidden() ? averageOf(entered) : "";
  for (;;) {
    const typed = await askStep(
      {
        title,
        prompt: vscode.l10n.t(
          "How much {0} did you buy elsewhere, before the fills Bidside knows about? Enter 0 to remove the cost basis.",
          asset,
        ),
        value: quantityTyped,
        ...readingOf(asset),
      },
      { number: 1, of: 2 },
    );
    if (typed === undefined || typed === back) return undefined;
    quantityTyped = typed;
    const quantity = new Decimal(readFigure(typed, { units: unitNames(asset) }));
    if (quantity.eq(ZERO)) return { quantity, rate: ZERO };
    const rate = await askStep(
      {
        title,
        prompt: vscode.l10n.t("The average price paid, in {0} per {1}, fees included", quote, asset),
        value: rateTyped,
        ...readingOf(quote),
      },
      { number: 2, of: 2 },
    );
    if (rate === undefined) return undefined;
    if (rate !== back) return { quantity, rate: new Decimal(readFigure(rate, { units: unitNames(quote) })) };
    rateTyped = "";
  }
}

/** The entered cost per unit; exact if it was entered as a price. */
function averageOf({ quantity, cost }: { readonly quantity: Decimal; readonly cost: Decimal }): string {
  return plainText(cost.div(quantity).round(30, Decimal.roundHalfUp));
}

/** How a figure in this asset is read. */
function readingOf(asset: string): Pick<Parameters<typeof askStep>[0], "problem" | "understood"> {
  const field = { units: unitNames(asset) };
  return {
    problem: (text) => (parseDecimal(readFigure(text, field)) ? undefined : figureProblemText(text, field)),
    understood: (text) => understoodText(text, field),
  };
}

async function pickAsset(holdings: readonly Holding[]): Promise<string | undefined> {
  const items = holdings.map(({ asset }) => ({ label: asset }));
  const chosen = await choose(items, {
    title: vscode.l10n.t("Set Cost Basis"),
    placeHolder: vscode.l10n.t("Choose an asset you bought elsewhere"),
  });
  return chosen?.label;
}
