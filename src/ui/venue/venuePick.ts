import * as vscode from "vscode";
import { settingKeys } from "../../contributions.ts";
import type { Account } from "../../market/account.ts";
import { executeCommand } from "../commands.ts";
import { readProfile } from "../../exchange/profile.ts";
import { choose } from "../quickInput.ts";
import { profileSetting, save, venueSetting } from "../settings.ts";
import { notOfferedText } from "./featureText.ts";

interface VenueEntry extends vscode.QuickPickItem {
  readonly id: Account["kind"] | "setUp";
}

/** Command "Switch Exchange…": practice, live, or the set-up of a live exchange. */
export async function switchVenue(): Promise<void> {
  const now = venueSetting();
  const setting = profileSetting();
  const { baseUrl } = setting;
  const profile = readProfile(setting);
  const missing = Array.isArray(profile) ? undefined : notOfferedText(profile.features);
  const mark = (id: Account["kind"]): string => (id === now ? vscode.l10n.t("current") : "");
  const entries: VenueEntry[] = [
    {
      id: "practice",
      label: `$(beaker) ${vscode.l10n.t("Practice")}`,
      description: mark("practice"),
      detail: vscode.l10n.t("A built-in simulated exchange on this computer. No real money."),
    },
  ];
  if (baseUrl !== "") {
    entries.push({
      id: "live",
      label: `$(broadcast) ${vscode.l10n.t("Live: {0}", baseUrl)}`,
      description: mark("live"),
      detail: [vscode.l10n.t("Your account on this exchange. Real money."), missing]
        .filter(Boolean)
        .join(" "),
    });
  }
  entries.push({
    id: "setUp",
    label: `$(edit) ${vscode.l10n.t("Set Up Live Exchange…")}`,
    detail: vscode.l10n.t("Enter the address and the API key, then test the connection."),
  });
  const chosen = await choose(entries, {
    title: vscode.l10n.t("Switch Exchange…"),
    placeHolder: vscode.l10n.t("Choose an exchange"),
  });
  if (chosen?.id === "setUp") await executeCommand("setUpLive");
  else if (chosen) await save(settingKeys.venue, chosen.id);
}
