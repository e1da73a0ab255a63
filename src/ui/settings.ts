import * as vscode from "vscode";
import { type AccessLevel, accessLevels } from "../assistant/access.ts";
import { settingKeys } from "../contributions.ts";
import { Decimal, parseDecimal, priceText } from "../market/numbers/decimal.ts";
import { defaultLimits, type OrderLimits } from "../market/order.ts";
import {
  parametersText,
  readParameters,
  type ShownStudy,
  type StudyId,
  studyIds,
  usualParameters,
} from "../market/studies.ts";
import type { Studies } from "../protocol/chart.ts";
import type { MarkName, ShownMarks } from "../protocol/chartMarks.ts";
import type { CsvFormat } from "../storage/orders/export.ts";
import { formatProblem, type FormatProblem, usualPairFormat } from "./text/pairFormat.ts";

/**
 * Reads a user setting. Only user values and defaults count: a workspace must not influence signed requests, whatever
 * the manifest's scopes are.
 */
function read(key: string): unknown {
  const found = vscode.workspace.getConfiguration().inspect(key);
  return found?.globalValue ?? found?.defaultValue;
}

const text = (key: string): string => {
  const value = read(key);
  return typeof value === "string" ? value : "";
};

/** Writes a user setting. */
export async function save(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);
}

/**
 * Poll interval of the market in ms, limited to 1 to 3600 s. Like all settings that prices and alerts depend on, it
 * ignores workspace settings.
 */
export function refreshIntervalMs(): number {
  return 1000 * bounded(read(settingKeys.refreshSeconds), 1, 3600, 5);
}

/** Whether streamed prices are used. */
export function liveMarketsAreOn(): boolean {
  return read(settingKeys.liveMarkets) !== false;
}

/** Whether the colours of rising and falling prices are swapped. */
export function colorsAreInverted(): boolean {
  return vscode.workspace.getConfiguration().get(settingKeys.invertColors) === true;
}

/** The settings that `amountsAreHidden` follows. */
export const privacyKeys = [settingKeys.hideAmounts, settingKeys.hideStatusBar];

/** Whether amounts of the account are hidden, in all windows at once. */
export function amountsAreHidden(): boolean {
  return read(settingKeys.hideAmounts) === true || statusBarIsHidden();
}

/** Whether the status bar has no item of Bidside. Amounts are then hidden too. */
export function statusBarIsHidden(): boolean {
  return read(settingKeys.hideStatusBar) === true;
}

/** The format of pinned pairs: the usual one if the user's has a problem. */
export function pairFormat(): { readonly format: string; readonly problem: FormatProblem | undefined } {
  const format = text(settingKeys.pairFormat);
  const problem = formatProblem(format);
  return { format: problem ? usualPairFormat : format, problem };
}

const statusBalances = ["available", "total", "todaysResult", "off"] as const;
export type StatusBalance = (typeof statusBalances)[number];

/** The figure beside the exchange's name in the status bar. */
export function statusBalance(): StatusBalance {
  const value = text(settingKeys.statusBalance);
  return statusBalances.find((each) => each === value) ?? "available";
}

/** The value, in the Wallet's quote asset, below which it hides a balance; undefined if it hides none. */
export function hiddenBelow(): Decimal | undefined {
  const below = parseDecimal(text(settingKeys.hideBelow));
  return below?.gt("0") ? below : undefined;
}

/** The asset that values are shown in; "" lets the account decide. */
export function valuesIn(): string {
  return text(settingKeys.valuesIn).trim().toUpperCase();
}

export function timeFormat(): "automatic" | "24-hour" | "12-hour" {
  const value = text(settingKeys.timeFormat);
  return value === "24-hour" || value === "12-hour" ? value : "automatic";
}

/** The assistants' access level. Anything but a known level counts as `off`. */
export function assistantAccess(): AccessLevel {
  const value = read(settingKeys.assistantAccess);
  return accessLevels.find((level) => level === value) ?? "off";
}

export function announcedFills(): "on" | "partial" | "off" {
  const value = text(settingKeys.announceFills);
  return value === "off" || value === "partial" ? value : "on";
}

/** Whether alerts go to the webhook. */
export function webhookIsOn(): boolean {
  return read(settingKeys.alertWebhook) === true;
}

/** The program that runs for each alert, and its arguments; empty if there is none. */
export function alertProgram(): readonly string[] {
  const value = read(settingKeys.alertProgram);
  const isProgram = Array.isArray(value) && value.every((each) => typeof each === "string");
  return isProgram && value[0] !== "" ? value : [];
}

/** Whether fills go where alerts go outside the editor. */
export function fillsGoOutside(): boolean {
  return read(settingKeys.alertSendFills) === true;
}

export function csvFormat(): CsvFormat {
  return text(settingKeys.csvFormat) === "semicolon" ? "semicolon" : "comma";
}

/** The setting of each kind of marks in a chart. */
export const markSettings: Readonly<Record<MarkName, string>> = {
  orders: settingKeys.showOrders,
  fills: settingKeys.showFills,
  averageCost: settingKeys.showAverageCost,
};

const isShown = (mark: MarkName): boolean => read(markSettings[mark]) !== false;

export function shownMarks(): ShownMarks {
  return { orders: isShown("orders"), fills: isShown("fills"), averageCost: isShown("averageCost") };
}

/** Whether charts have a logarithmic price scale. */
export function scaleIsLogarithmic(): boolean {
  return read(settingKeys.logScale) === true;
}

/** The studies of all charts. Unknown names are ignored, and figures out of bounds replaced by the usual ones. */
export function chosenStudies(): Studies {
  const [names, periods] = [read(settingKeys.studies), read(settingKeys.studyPeriods)];
  return {
    all: studyIds.map((id) => ({ id, parameters: studyPeriods(id, periods) })),
    shown: studyIds.filter((id) => Array.isArray(names) && names.includes(id)),
  };
}

function studyPeriods(id: StudyId, periods: unknown): readonly number[] {
  const text = (periods as Partial<Record<string, unknown>> | null | undefined)?.[id];
  return (typeof text === "string" ? readParameters(id, text) : undefined) ?? usualParameters(id);
}

let studiesSaved = Promise.resolve();

/** Waits for the previous change, because until the editor has written it, the setting lacks it. */
export function showStudy(id: StudyId, isShown: boolean): Promise<void> {
  const saved = studiesSaved.then(async () => {
    const others = chosenStudies().shown.filter((each) => each !== id);
    await save(settingKeys.studies, isShown ? [...others, id] : others);
  });
  studiesSaved = saved.catch(() => undefined);
  return saved;
}

export async function saveStudyPeriods({ id, parameters }: ShownStudy): Promise<void> {
  const stored = read(settingKeys.studyPeriods);
  const others = typeof stored === "object" ? stored : {};
  await save(settingKeys.studyPeriods, { ...others, [id]: parametersText(parameters) });
}

/** Order limits from the user's settings, clamped to fixed bounds. */
export function orderLimits(): OrderLimits {
  const percent = (key: string, least: number, most: number, fallback: Decimal): Decimal =>
    new Decimal(String(bounded(read(key), least, most, fallback.toNumber())));
  return {
    confirmBeyondPercent: percent(settingKeys.confirmAbovePercent, 0, 20, defaultLimits.confirmBeyondPercent),
    refuseBeyondPercent: percent(settingKeys.refuseAbovePercent, 0.1, 100, defaultLimits.refuseBeyondPercent),
    maximumAmount: maximumAmount(read(settingKeys.maximumAmount)),
    maximumPriceAgeMs:
      1000 * bounded(read(settingKeys.maximumPriceAgeSeconds), 1, 60, defaultLimits.maximumPriceAgeMs / 1000),
  };
}

/** Text, or a number in the settings' JSON, whose digits are exact like a ticker's. */
function maximumAmount(value: unknown): OrderLimits["maximumAmount"] {
  if (value === "" || value === null || value === undefined) return undefined;
  const given = typeof value === "number" && Number.isFinite(value) ? priceText(value) : value;
  const maximum = typeof given === "string" ? parseDecimal(given) : undefined;
  return maximum?.gt("0") ? maximum : "unreadable";
}

/** Disk space for recorded prices in bytes; 0 disables recording. */
export function historyMaximumBytes(): number {
  return 1024 * 1024 * bounded(read(settingKeys.historyMaximumMegabytes), 0, 10_000, 50);
}

function bounded(value: unknown, least: number, most: number, fallback: number): number {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.min(most, Math.max(least, value))
    : fallback;
}

export function onDidChangeSettings(keys: readonly string[], changed: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (keys.some((key) => event.affectsConfiguration(key))) changed();
  });
}
