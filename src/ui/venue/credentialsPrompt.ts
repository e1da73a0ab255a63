import * as vscode from "vscode";
import type { Watching } from "../../desk/venue.ts";
import { type Credentials, Secret } from "../../exchange/signing/credentials.ts";
import { isUsableKey, isUsableSecret } from "../../exchange/signing/signature.ts";
import { offer, addAccountLink } from "../commands.ts";
import { ask } from "../quickInput.ts";
import type { CredentialStore } from "./credentialStore.ts";
import type { SaveKey } from "./keyOwner.ts";

/** Prompts for key and secret in two password boxes; undefined if cancelled. */
async function askCredentials(origin: string): Promise<Credentials | undefined> {
  const apiKey = await askSecret(
    vscode.l10n.t("API Key for {0} (1 of 2)", origin),
    vscode.l10n.t("Paste the API key"),
    isUsableKey,
  );
  if (apiKey === undefined) return undefined;
  const apiSecret = await askSecret(
    vscode.l10n.t("API Secret for {0} (2 of 2)", origin),
    vscode.l10n.t("Paste the API secret"),
    isUsableSecret,
  );
  return apiSecret === undefined ? undefined : { apiKey, apiSecret };
}

async function askSecret(
  title: string,
  prompt: string,
  isUsable: (text: string) => boolean,
): Promise<Secret | undefined> {
  const typed = await ask({
    title,
    prompt: vscode.l10n.t("{0}. It is kept in the editor's secret storage, for this address only.", prompt),
    password: true,
    problem: (text) => secretProblem(text.trim(), isUsable),
  });
  return typed === undefined ? undefined : new Secret(typed.trim());
}

export function secretProblem(text: string, isUsable: (text: string) => boolean): string | undefined {
  if (text === "") return vscode.l10n.t("Paste it here, or press Escape to cancel.");
  return isUsable(text)
    ? undefined
    : vscode.l10n.t("This contains characters that are not valid in a key. Paste it again.");
}

/** Command "Set API Key and Secret…". Resolves to whether a pair was stored. */
export async function setCredentials(
  venue: Watching | undefined,
  store: CredentialStore,
  saveKey: SaveKey,
): Promise<boolean> {
  const live = await liveOnly(venue);
  if (!live) return false;
  const { origin } = live.profile.baseUrl;
  const entered = await askCredentials(origin);
  if (!entered) return false;
  const owner = await storeCredentials(() =>
    saveKey(live.account, entered.apiKey, ({ id }) => store.save({ account: id, origin }, entered)),
  );
  return owner !== undefined;
}

/** Writes to the secret storage. If that fails, shows an error and resolves to undefined. */
export async function storeCredentials<T>(task: () => Promise<T>): Promise<T | undefined> {
  return await reportStorageFailure(
    task,
    vscode.l10n.t(
      "The API key was not saved, because this computer's secret storage rejected the request. Your orders are not affected. Unlock the secret storage or set it up, then set the API key again.",
    ),
  );
}

/**
 * Runs `task` on the secret storage. On failure shows `refusal`, because the storage's error could contain anything.
 */
async function reportStorageFailure<T>(task: () => Promise<T>, refusal: string): Promise<T | undefined> {
  try {
    return await task();
  } catch {
    void vscode.window.showErrorMessage(refusal);
    return undefined;
  }
}

/** Command "Remove API Key and Secret…". */
export async function removeCredentials(venue: Watching | undefined, store: CredentialStore): Promise<void> {
  const live = await liveOnly(venue);
  if (!live) return;
  const { origin } = live.profile.baseUrl;
  const remove = vscode.l10n.t("Remove");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Remove the API key and secret for {0}?", origin),
    {
      modal: true,
      detail: vscode.l10n.t(
        "Both are deleted from this computer. The API key stays valid until you delete it on the exchange.",
      ),
    },
    remove,
  );
  if (chosen !== remove) return;
  await reportStorageFailure(
    () => store.remove(live.account.id),
    vscode.l10n.t(
      "The API key was not removed, because this computer's secret storage rejected the request. Bidside may still use the key. Unlock the secret storage, then remove the key again.",
    ),
  );
}

/** Keys are for live exchanges only; on another exchange, offers the setup. */
async function liveOnly(venue: Watching | undefined): Promise<Watching | undefined> {
  if (venue?.account.kind === "live") return venue;
  const text = venue
    ? vscode.l10n.t("The practice exchange has its own API key. Set up a live exchange to use yours.")
    : vscode.l10n.t("No live exchange is active.");
  await offer("showInformationMessage", text, addAccountLink());
  return undefined;
}
