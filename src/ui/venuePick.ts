import * as vscode from "vscode";
import type { VenueId } from "../desk/venue.ts";
import { readProfile, type ProfileProblem } from "../exchange/profile.ts";
import { profileText } from "./errorText.ts";
import { ask, choose } from "./quickInput.ts";
import { profileSetting, saveBaseUrl, saveVenue, venueSetting } from "./settings.ts";

interface VenueEntry extends vscode.QuickPickItem {
  readonly id: VenueId;
  readonly askForUrl: boolean;
}

/** Command "Switch Exchange…": practice or live; asks for the live address when there is none, or a new one is wanted. */
export async function switchVenue(): Promise<void> {
  const now = venueSetting();
  const { baseUrl } = profileSetting();
  const mark = (id: VenueId): string => (id === now ? vscode.l10n.t("current") : "");
  const entries: VenueEntry[] = [
    {
      id: "practice",
      askForUrl: false,
      label: `$(beaker) ${vscode.l10n.t("Practice")}`,
      description: mark("practice"),
      detail: vscode.l10n.t("A built-in simulated exchange on this computer. No real money."),
    },
  ];
  if (baseUrl !== "") {
    entries.push({
      id: "live",
      askForUrl: false,
      label: `$(broadcast) ${vscode.l10n.t("Live: {0}", baseUrl)}`,
      description: mark("live"),
      detail: vscode.l10n.t("Your account on this exchange. Real money."),
    });
  }
  entries.push({
    id: "live",
    askForUrl: true,
    label: `$(edit) ${vscode.l10n.t("Live: enter an address…")}`,
    detail: vscode.l10n.t("The base URL of your exchange's API."),
  });
  const chosen = await choose(entries, {
    title: vscode.l10n.t("Switch Exchange…"),
    placeHolder: vscode.l10n.t("Choose an exchange"),
  });
  if (!chosen || (chosen.askForUrl && !(await askBaseUrl(baseUrl)))) return;
  await saveVenue(chosen.id);
}

async function askBaseUrl(now: string): Promise<boolean> {
  const typed = await ask({
    title: vscode.l10n.t("Live Exchange"),
    prompt: vscode.l10n.t("Base URL of the exchange's API. It begins with https://."),
    value: now,
    placeHolder: "https://api.example.com",
    problem: urlProblem,
  });
  if (typed === undefined) return false;
  await saveBaseUrl(typed.trim());
  return true;
}

function urlProblem(text: string): string | undefined {
  const profile = readProfile({ ...profileSetting(), baseUrl: text });
  const aboutUrl = Array.isArray(profile)
    ? profile.find((problem: ProfileProblem) => problem.startsWith("baseUrl"))
    : undefined;
  return aboutUrl === undefined ? undefined : profileText(aboutUrl);
}
