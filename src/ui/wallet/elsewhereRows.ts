import * as vscode from "vscode";
import { commandIds, walletContexts } from "../../contributions.ts";
import type { HoldingElsewhere, Portfolio } from "../../market/holdings/portfolio.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { commandLink } from "../commands.ts";
import { colorsAreInverted } from "../settings.ts";
import { type AmountText, spoken } from "../text/amountText.ts";
import { changeIcon } from "../text/changeIcon.ts";
import { columnGap } from "../text/rowColumns.ts";
import { sanitizeText } from "../text/sanitizeText.ts";
import { tableTooltip } from "../text/tableTooltip.ts";
import { resultText } from "./costText.ts";
import { noWorthText, spokenAmount, valueFigures, type WalletNumbers } from "./portfolioText.ts";
import type { WalletCells, WalletColumns } from "./walletColumns.ts";

/** What all holdings elsewhere are worth, as a row above them. */
export function elsewhereCells({ elsewhere }: Portfolio): WalletCells {
  const value = elsewhere.reduce((sum, each) => sum.plus(each.value ?? "0"), new Decimal("0"));
  return { label: vscode.l10n.t("Elsewhere"), quantity: "", value, change: null };
}

export function elsewhereItem(
  portfolio: Portfolio,
  columns: WalletColumns,
  amounts: AmountText,
): vscode.TreeItem {
  const cells = elsewhereCells(portfolio);
  const item = new vscode.TreeItem(cells.label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = "elsewhere";
  item.description = portfolio.quote === "" ? "" : columns.text(cells);
  item.iconPath = new vscode.ThemeIcon("archive");
  item.tooltip = vscode.l10n.t(
    "Holdings that you entered. They count in the total, and no order can use them.",
  );
  const value = portfolio.quote === "" ? "" : `${amounts.value(cells.value)} ${portfolio.quote}`;
  item.accessibilityInformation = { label: spoken([cells.label, value].filter(Boolean).join(", ")) };
  return item;
}

/** Undefined if the value is unknown. */
export function heldElsewhereCells(
  { asset, amount, value, percentChange }: HoldingElsewhere,
  { quote }: Portfolio,
  amounts: AmountText,
): WalletCells | undefined {
  if (quote === "" || !value) return undefined;
  return {
    label: asset,
    quantity: amounts.rowQuantity(amount),
    value,
    change: asset === quote ? null : percentChange,
  };
}

export function heldElsewhereItem(
  held: HoldingElsewhere,
  portfolio: Portfolio,
  columns: WalletColumns,
  numbers: WalletNumbers,
): vscode.TreeItem {
  const { asset, amount, percentChange, entry } = held;
  const { amounts } = numbers;
  const item = new vscode.TreeItem(asset, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `elsewhere:${entry.id}`;
  const cells = heldElsewhereCells(held, portfolio, amounts);
  const text = cells
    ? columns.text(cells)
    : columns.start(asset, amounts.rowQuantity(amount)) + columnGap + noWorthText(held, portfolio);
  const place = sanitizeText(entry.place);
  item.description = [text, place].filter(Boolean).join(columnGap);
  item.iconPath = changeIcon(percentChange, colorsAreInverted());
  item.contextValue = held.ticker ? walletContexts.pricedElsewhere : walletContexts.elsewhere;
  if (held.ticker) item.command = commandLink("previewAsset", vscode.l10n.t("Open Chart"));
  item.tooltip = tableTooltip(asset, heldElsewhereFigures(held, portfolio, numbers));
  item.accessibilityInformation = { label: spoken(spokenAmount(held, place, portfolio, amounts)) };
  return item;
}

/** All figures of a holding elsewhere, labelled. */
export function heldElsewhereFigures(
  held: HoldingElsewhere,
  portfolio: Portfolio,
  numbers: WalletNumbers,
): [string, string][] {
  const { asset, amount, entry, value } = held;
  const { amounts } = numbers;
  const { quote } = portfolio;
  const figures: [string, string][] = [
    [vscode.l10n.t("Place"), sanitizeText(entry.place) || "–"],
    [vscode.l10n.t("Quantity"), `${amounts.holding(amount, asset, quote)} ${asset}`],
    ...valueFigures(held, portfolio, numbers),
  ];
  if (!entry.cost) return figures;
  const { cost } = entry;
  figures.push([vscode.l10n.t("Cost"), `${amounts.amount(cost.amount, cost.asset)} ${cost.asset}`]);
  if (value && cost.asset === quote)
    figures.push([
      vscode.l10n.t("Unrealised result"),
      resultText(value.minus(cost.amount), cost.amount, quote, amounts),
    ]);
  return figures;
}

/** In place of the holdings, while their file cannot be read. A click shows why. */
export function unreadableElsewhereItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t("Elsewhere"));
  item.id = "elsewhere";
  item.description = vscode.l10n.t("unknown");
  item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  item.tooltip = unreadableElsewhereText();
  item.command = { command: commandIds.showLog, title: vscode.l10n.t("Show Log") };
  item.accessibilityInformation = { label: String(item.tooltip) };
  return item;
}

export function unreadableElsewhereText(): string {
  return vscode.l10n.t(
    "The holdings that you entered cannot be read: the file holdings.json in Bidside's folder is damaged, or a newer version wrote it. No total includes them, and nothing is changed. The log shows more.",
  );
}
