import * as vscode from "vscode";
import type { Interval } from "../../market/intervals.ts";
import type { ChartSetup } from "../../protocol/chart.ts";
import { chosenStudies } from "../settings.ts";
import { studyNames } from "./studyNames.ts";
import { venueWords } from "../pages/venueWords.ts";
import { pageHtml } from "../pages/webviewPage.ts";

/**
 * The chart page. A restored page keeps its own interval. The symbol comes from an exchange, so it is passed in the
 * script's setup and set as text.
 */
export function chartHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  symbol: string,
  interval: Interval,
): Promise<string> {
  return pageHtml(webview, extensionUri, { name: "chart", words: words(), setup: setupOf(symbol, interval) });
}

function words(): Record<string, string> {
  return {
    title: vscode.l10n.t("Chart"),
    interval: vscode.l10n.t("Interval"),
    keys: vscode.l10n.t("Keys"),
    lock: vscode.l10n.t("Lock"),
    lockTitle: vscode.l10n.t("Stay on this pair when another pair is selected elsewhere"),
    openBeside: vscode.l10n.t("Open to the Side"),
    studies: vscode.l10n.t("Studies"),
    periods: vscode.l10n.t("Periods…"),
    copyPicture: vscode.l10n.t("Copy Picture"),
    picture: vscode.l10n.t("Save Picture…"),
    level: vscode.l10n.t("Horizontal Line"),
    trend: vscode.l10n.t("Trend Line"),
    nextLine: vscode.l10n.t("Next line or alert"),
    removeLine: vscode.l10n.t("Remove"),
    fit: vscode.l10n.t("Fit"),
    logScale: vscode.l10n.t("Logarithmic Scale"),
    table: vscode.l10n.t("Table"),
    time: vscode.l10n.t("Time"),
    open: vscode.l10n.t("Open"),
    high: vscode.l10n.t("High"),
    low: vscode.l10n.t("Low"),
    close: vscode.l10n.t("Close"),
    volume: vscode.l10n.t("Volume"),
    more: vscode.l10n.t("More"),
    candle: vscode.l10n.t("Candle"),
    price: vscode.l10n.t("Price"),
    toOldest: vscode.l10n.t("Oldest candle"),
    toNewest: vscode.l10n.t("Newest candle"),
    hide: vscode.l10n.t("Hide the crosshair"),
    bid: vscode.l10n.t("Buy"),
    ask: vscode.l10n.t("Sell"),
    alert: vscode.l10n.t("Alert"),
    marks: vscode.l10n.t("Your orders, lines and fills"),
    shownMarks: vscode.l10n.t("Shown in the chart"),
    orders: vscode.l10n.t("Orders"),
    fills: vscode.l10n.t("Fills"),
    averageCost: vscode.l10n.t("Average cost"),
    retry: vscode.l10n.t("Try Again"),
  };
}

function setupOf(symbol: string, interval: Interval): ChartSetup {
  return {
    symbol,
    interval,
    locale: vscode.env.language,
    studies: chosenStudies(),
    strings: {
      ...venueWords(),
      chartOf: vscode.l10n.t("Chart of {0}", "{0}"),
      candlesOf: vscode.l10n.t("Candles of {0}, {1}", "{0}", "{1}"),
      intervals: {
        "1m": { label: vscode.l10n.t("1 m"), spoken: vscode.l10n.t("1 minute") },
        "5m": { label: vscode.l10n.t("5 m"), spoken: vscode.l10n.t("5 minutes") },
        "15m": { label: vscode.l10n.t("15 m"), spoken: vscode.l10n.t("15 minutes") },
        "1h": { label: vscode.l10n.t("1 h"), spoken: vscode.l10n.t("1 hour") },
        "4h": { label: vscode.l10n.t("4 h"), spoken: vscode.l10n.t("4 hours") },
        "1d": { label: vscode.l10n.t("1 d"), spoken: vscode.l10n.t("1 day") },
        "1w": { label: vscode.l10n.t("1 w"), spoken: vscode.l10n.t("1 week") },
      },
      studies: studyNames(),
      loading: vscode.l10n.t("Loading the price history…"),
      volume: vscode.l10n.t("Volume"),
      leastVolume: vscode.l10n.t("Volume (at least)"),
      placeBidAt: vscode.l10n.t("Buy at {0}", "{0}"),
      placeAskAt: vscode.l10n.t("Sell at {0} (S)", "{0}"),
      alertAt: vscode.l10n.t("Add Alert at {0}", "{0}"),
      lines: {
        chooseLevel: vscode.l10n.t("Click at the price, or move there with the arrow keys and press Enter"),
        chooseStart: vscode.l10n.t(
          "Click where the line starts, or move there with the arrow keys and press Enter",
        ),
        chooseEnd: vscode.l10n.t(
          "Click where the line ends, or move there with the arrow keys and press Enter",
        ),
        selected: vscode.l10n.t("Arrow keys move the line, Enter saves it, Delete removes it"),
        none: vscode.l10n.t("No lines or alerts in this chart."),
        start: vscode.l10n.t("{0}: start", "{0}"),
        end: vscode.l10n.t("{0}: end", "{0}"),
        edit: vscode.l10n.t("Edit…"),
        rename: vscode.l10n.t("Rename…"),
      },
      noMarks: vscode.l10n.t("No open orders, alerts, lines or fills."),
      rateSpoken: vscode.l10n.t("Price {0}", "{0}"),
      candleSpoken: vscode.l10n.t(
        "{0}: open {1}, high {2}, low {3}, close {4}, volume {5}",
        "{0}",
        "{1}",
        "{2}",
        "{3}",
        "{4}",
        "{5}",
      ),
    },
  };
}
