import type * as vscode from "vscode";
import { discoveryPorts } from "../../exchange/discovery/discovery.ts";
import type { Desk } from "../../desk/desk.ts";
import { onMissingPath } from "../../desk/missingPaths.ts";
import { Disposable } from "../../desk/disposable.ts";
import { offer, registerCommands } from "../commands.ts";
import { shownAmounts } from "../text/amountText.ts";
import { explain } from "../text/errorText.ts";
import type { CredentialStore } from "./credentialStore.ts";
import { removeCredentials, setCredentials } from "./credentialsPrompt.ts";
import { askAboutOwner } from "./keyOwner.ts";
import { offerMovedPath } from "./movedPath.ts";
import type { PracticeVenue } from "./practiceVenue.ts";
import { exportProfile, importProfile } from "./profileFiles.ts";
import { resetPractice } from "./resetPractice.ts";
import { type SetupParts, setUpLive, testConnection } from "./setUpLive.ts";
import { addAccount, targetOf, withTarget } from "./accountTarget.ts";
import { removeAccount, renameAccount } from "./accountCommands.ts";
import { pickAccount } from "./venuePick.ts";
import type { WindowAccount } from "./windowAccount.ts";

interface VenueParts {
  readonly desk: Desk;
  readonly store: CredentialStore;
  readonly practice: PracticeVenue;
  readonly windowAccount: WindowAccount;
}

/** Registers the account, exchange and API key commands, and offers the new path when an exchange moves one. */
export function registerVenueCommands(
  context: vscode.ExtensionContext,
  { desk, store, practice, windowAccount }: VenueParts,
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
    followSettings: () => windowAccount.followSettings(),
    extensionUri: context.extensionUri,
    discovery,
  });
  const setupOfAccount = (): SetupParts => withTarget(setup(), targetOf(desk.accounts, venue.account));
  const stopMissingPaths = onMissingPath(desk, (of, error) => {
    const mayContinue = (): boolean => venue.venue === of;
    void offerMovedPath(of, error, { ...discovery, mayContinue });
  });
  const commands = registerCommands({
    setUpLive: (begin) => setUpLive(begin === undefined ? setup() : setupOfAccount(), begin),
    setCredentials: () => setCredentials(venue.venue, store, saveKey),
    removeCredentials: () => removeCredentials(venue.venue, store),
    testConnection: async () => {
      const { state } = venue;
      if (state.kind === "ready")
        await testConnection(
          setupOfAccount(),
          venue.account.kind === "practice" ? venue.signedIn : undefined,
        );
      if (state.kind !== "unusable") return;
      const { sentence, action } = explain(state.error, shownAmounts());
      await offer("showErrorMessage", sentence, action);
    },
    importProfile: () => importProfile(desk.log, targetOf(desk.accounts, venue.account)),
    exportProfile: () => exportProfile(desk.log, targetOf(desk.accounts, venue.account)),
    switchVenue: async () => {
      const account = await pickAccount(desk.accounts, venue.account);
      if (account) windowAccount.choose(account);
    },
    addAccount: () =>
      desk.accounts.live.length === 0
        ? setUpLive(setup())
        : addAccount(setup(), desk.accounts, windowAccount),
    renameAccount: () => renameAccount(desk),
    removeAccount: () => removeAccount(desk, store),
    resetPractice: () => resetPractice(desk, practice),
  });
  return new Disposable(commands, stopMissingPaths);
}
