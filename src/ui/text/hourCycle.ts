import { timeFormat } from "../settings.ts";

/** 24-hour or 12-hour times, as `Intl.DateTimeFormat` names them. */
export type HourCycle = "h23" | "h12";

/** The hour cycle of all displayed times: from the setting, else from the system. */
export function hourCycle(): HourCycle {
  const format = timeFormat();
  if (format === "automatic") return (cachedSystemCycle ??= systemHourCycle());
  return format === "24-hour" ? "h23" : "h12";
}

let cachedSystemCycle: HourCycle | undefined;

/**
 * The hour cycle of the system's region; 24 hours if the system has none. The editor's language does not determine it,
 * because the editor is used in English everywhere.
 */
export function systemHourCycle(
  env: Readonly<NodeJS.ProcessEnv> = process.env,
  fallback = process.platform === "linux" ? "" : new Intl.DateTimeFormat().resolvedOptions().locale,
): HourCycle {
  const named = env["LC_ALL"] || env["LC_TIME"] || env["LANG"] || fallback;
  // `en_US.UTF-8` and `en-US`; neither `C` nor `en` has a region.
  const [, language, region] = /^([a-z]{2,3})(?:[_-][A-Z][a-z]{3})?[_-]([A-Z]{2}|\d{3})\b/.exec(named) ?? [];
  if (language === undefined) return "h23";
  const { hour12 } = new Intl.DateTimeFormat(`${language}-${region}`, { hour: "numeric" }).resolvedOptions();
  return hour12 === true ? "h12" : "h23";
}
