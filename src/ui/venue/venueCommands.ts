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
import { type AccountSetup, type SetupParts, setUpAccount, testPractice } from "./setUpAccount.ts";
import { setupOf, setupOfNew } from "./accountSetups.ts";
import { editAccount, removeAccount, renameAccount } from "./accountCommands.ts";
import { registerAccountDocuments } from "./accountDocuments.ts";
import { pickAccount } from "./accountPick.ts";
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
  const saveKey = askAboutOwner({ orders: desk.orders, accounts: desk.accounts, windowAccount });
  const { accounts } = desk;
  const setup: SetupParts = {
    desk,
    store,
    saveKey,
    newAccount: (id) => setupOfNew({ accounts, store, memento: context.globalState, windowAccount }, id),
    extensionUri: context.extensionUri,
    discovery,
  };
  const ownSetup = (): AccountSetup | undefined =>
    venue.account.kind === "live" ? setupOf(accounts, venue.account) : undefined;
  const stopMissingPaths = onMissingPath(desk, (of, error) => {
    const mayContinue = (): boolean => venue.venue === of;
    void offerMovedPath(of, error, { ...discovery, mayContinue });
  });
  const commands = registerCommands({
    setCredentials: () => setCredentials(venue.venue, store, saveKey),
    removeCredentials: () => removeCredentials(venue.venue, store),
    testConnection: async () => {
      const { state } = venue;
      if (state.kind === "ready")
        await (venue.account.kind === "practice" && venue.signedIn
          ? testPractice(setup, venue.signedIn)
          : setUpAccount(setup, ownSetup(), "test"));
      if (state.kind !== "unusable") return;
      const { sentence, action } = explain(state.error, shownAmounts());
      await offer("showErrorMessage", sentence, action);
    },
    importProfile: () => importProfile(desk, windowAccount),
    exportProfile: () => exportProfile(desk),
    switchAccount: async () => {
      const account = await pickAccount(desk);
      if (account) windowAccount.choose(account);
    },
    addAccount: (begin) => setUpAccount(setup, ownSetup(), begin),
    editAccount: () => editAccount(desk),
    renameAccount: () => renameAccount(desk),
    removeAccount: () => removeAccount(desk, store),
    resetPractice: () => resetPractice(desk, practice),
  });
  return new Disposable(commands, registerAccountDocuments(accounts), stopMissingPaths);
}
