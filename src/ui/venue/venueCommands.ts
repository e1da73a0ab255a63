import type * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { offer, registerCommands } from "../commands.ts";
import { shownAmounts } from "../settings.ts";
import { explain } from "../text/errorText.ts";
import type { CredentialStore } from "./credentialStore.ts";
import type { PracticeVenue } from "./practiceVenue.ts";

const prompt = () => import("./credentialsPrompt.ts");

/** Registers the commands about the exchange and its API key. Their code is loaded at the first call. */
export function registerVenueCommands(
  context: vscode.ExtensionContext,
  desk: Desk,
  store: CredentialStore,
  practice: PracticeVenue,
): vscode.Disposable {
  const { venue } = desk;
  return registerCommands({
    setUpLive: async (begin) =>
      (await import("./setUpLive.ts")).setUpLive(desk, context.globalState, store, begin),
    setCredentials: async () => (await prompt()).setCredentials(venue.venue, store),
    removeCredentials: async () => (await prompt()).removeCredentials(venue.venue, store),
    testConnection: async () => {
      const { state } = venue;
      if (state.kind === "ready")
        await (await import("./connectionPick.ts")).showConnectionTest(state.venue, desk.timers, desk.log);
      if (state.kind !== "unusable") return;
      const { sentence, action } = explain(state.error, shownAmounts());
      await offer("showErrorMessage", sentence, action);
    },
    importProfile: async () => (await import("./profileFiles.ts")).importProfile(desk.log),
    exportProfile: async () => (await import("./profileFiles.ts")).exportProfile(desk.log),
    switchVenue: async () => (await import("./venuePick.ts")).switchVenue(),
    resetPractice: async () => (await import("./resetPractice.ts")).resetPractice(desk, practice),
  });
}
