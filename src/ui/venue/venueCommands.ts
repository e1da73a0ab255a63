import type * as vscode from "vscode";
import type { discoveryPorts } from "../../exchange/discovery/discovery.ts";
import type { Desk } from "../../desk/desk.ts";
import { offer, registerCommands } from "../commands.ts";
import { shownAmounts } from "../settings.ts";
import { explain } from "../text/errorText.ts";
import type { CredentialStore } from "./credentialStore.ts";
import type { removeCredentials, setCredentials } from "./credentialsPrompt.ts";
import type { PracticeVenue } from "./practiceVenue.ts";
import type { exportProfile, importProfile } from "./profileFiles.ts";
import type { resetPractice } from "./resetPractice.ts";
import type { SetupParts, setUpLive, testConnection } from "./setUpLive.ts";
import type { switchVenue } from "./venuePick.ts";

/** What the commands need at their first use. */
interface LateVenueCommands {
  readonly exportProfile: typeof exportProfile;
  readonly importProfile: typeof importProfile;
  readonly removeCredentials: typeof removeCredentials;
  readonly resetPractice: typeof resetPractice;
  readonly setCredentials: typeof setCredentials;
  readonly setUpLive: typeof setUpLive;
  readonly testConnection: typeof testConnection;
  readonly discoveryPorts: typeof discoveryPorts;
  readonly switchVenue: typeof switchVenue;
}

/** Registers the commands about the exchange and its API key. Their code is loaded at the first call. */
export function registerVenueCommands(
  context: vscode.ExtensionContext,
  desk: Desk,
  store: CredentialStore,
  practice: PracticeVenue,
  late: () => Promise<LateVenueCommands>,
): vscode.Disposable {
  const { venue, timers } = desk;
  const { version } = context.extension.packageJSON as { readonly version: string };
  const setup = async (): Promise<SetupParts> => {
    const { discoveryPorts } = await late();
    return {
      desk,
      memento: context.globalState,
      store,
      extensionUri: context.extensionUri,
      discovery: discoveryPorts({ userAgent: `Bidside/${version}`, now: timers.now, after: timers.after }),
    };
  };
  return registerCommands({
    setUpLive: async (begin) => (await late()).setUpLive(await setup(), begin),
    setCredentials: async () => (await late()).setCredentials(venue.venue, store),
    removeCredentials: async () => (await late()).removeCredentials(venue.venue, store),
    testConnection: async () => {
      const { state } = venue;
      if (state.kind === "ready") await (await late()).testConnection(await setup(), state.venue);
      if (state.kind !== "unusable") return;
      const { sentence, action } = explain(state.error, shownAmounts());
      await offer("showErrorMessage", sentence, action);
    },
    importProfile: async () => (await late()).importProfile(desk.log),
    exportProfile: async () => (await late()).exportProfile(desk.log),
    switchVenue: async () => (await late()).switchVenue(),
    resetPractice: async () => (await late()).resetPractice(desk, practice),
  });
}
