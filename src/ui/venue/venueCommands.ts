import type * as vscode from "vscode";
import { discoveryPorts } from "../../exchange/discovery/discovery.ts";
import type { Desk } from "../../desk/desk.ts";
import { onMissingPath } from "../../desk/missingPaths.ts";
import { Disposable } from "../../desk/disposable.ts";
import { offer, registerCommands } from "../commands.ts";
import { shownAmounts } from "../settings.ts";
import { explain } from "../text/errorText.ts";
import type { CredentialStore } from "./credentialStore.ts";
import { removeCredentials, setCredentials } from "./credentialsPrompt.ts";
import { askAboutOwner } from "./keyOwner.ts";
import { offerMovedPath } from "./movedPath.ts";
import type { PracticeVenue } from "./practiceVenue.ts";
import { exportProfile, importProfile } from "./profileFiles.ts";
import { resetPractice } from "./resetPractice.ts";
import { type SetupParts, setUpLive, testConnection } from "./setUpLive.ts";
import { switchVenue } from "./venuePick.ts";

/** Registers the exchange and API key commands, and offers the new path when an exchange moves one. */
export function registerVenueCommands(
  context: vscode.ExtensionContext,
  desk: Desk,
  store: CredentialStore,
  practice: PracticeVenue,
): Disposable {
  const { venue, timers } = desk;
  const { version } = context.extension.packageJSON as { readonly version: string };
  const discovery = discoveryPorts({
    userAgent: `Bidside/${version}`,
    now: timers.now,
    after: timers.after,
  });
  const saveKey = askAboutOwner(desk.orders);
  const setup = (): SetupParts => ({
    desk,
    memento: context.globalState,
    store,
    saveKey,
    extensionUri: context.extensionUri,
    discovery,
  });
  const stopMissingPaths = onMissingPath(desk, (of, error) => {
    const mayContinue = (): boolean => venue.venue === of;
    void offerMovedPath(of, error, { ...discovery, mayContinue });
  });
  const commands = registerCommands({
    setUpLive: (begin) => setUpLive(setup(), begin),
    setCredentials: () => setCredentials(venue.venue, store, saveKey),
    removeCredentials: () => removeCredentials(venue.venue, store),
    testConnection: async () => {
      const { state } = venue;
      if (state.kind === "ready")
        await testConnection(setup(), venue.account.kind === "practice" ? venue.signedIn : undefined);
      if (state.kind !== "unusable") return;
      const { sentence, action } = explain(state.error, shownAmounts());
      await offer("showErrorMessage", sentence, action);
    },
    importProfile: () => importProfile(desk.log),
    exportProfile: () => exportProfile(desk.log),
    switchVenue: () => switchVenue(),
    resetPractice: () => resetPractice(desk, practice),
  });
  return new Disposable(commands, stopMissingPaths);
}
