import * as vscode from "vscode";
import { errorLine } from "../../desk/errorLine.ts";
import type { Desk } from "../../desk/desk.ts";
import { isUsualPath } from "../../exchange/paths.ts";
import { pathsOf, readProfile, type ProfileDraft, type ServiceProfile } from "../../exchange/profile.ts";
import {
  MAX_PROFILE_BYTES,
  readProfileFile,
  writeProfileFile,
  type ProfileFile,
  type ProfileFileProblem,
} from "../../exchange/profileFile.ts";
import { offer, addAccountLink, showLogLink, testLink } from "../commands.ts";
import { saveFile } from "../saveFile.ts";
import { profileText } from "../text/errorText.ts";
import type { Account } from "../../market/account.ts";
import { sanitizeText } from "../text/sanitizeText.ts";
import { isSaved } from "./accountCommands.ts";
import { featureTexts } from "./featureText.ts";
import { profileOf } from "./profileOf.ts";
import { fileProblemText } from "./profileProblemText.ts";
import type { WindowAccount } from "./windowAccount.ts";

const MAX_PROBLEMS = 5;

/**
 * Command "Import Exchange Profile…": reads a profile file, and shows what it changes and which host it uses. After one
 * confirmation it changes the window's account if that is at the same origin; otherwise it adds an account. A profile
 * contains no key, and no order is placed.
 */
export async function importProfile(
  { accounts, venue, log }: Desk,
  windowAccount: Pick<WindowAccount, "choose">,
): Promise<void> {
  const [source] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t("Import Exchange Profile"),
      openLabel: vscode.l10n.t("Open Profile"),
      filters: { JSON: ["json"] },
    })) ?? [];
  if (!source) return;
  let file: ProfileFile | ProfileFileProblem[];
  try {
    file = await readFile(source);
  } catch (error) {
    log.error(`Import Exchange Profile: ${errorLine(error)}`);
    const text = vscode.l10n.t("The file {0} could not be read.", source.fsPath);
    return await offer("showErrorMessage", text, showLogLink());
  }
  if (Array.isArray(file)) {
    const shown = file.slice(0, MAX_PROBLEMS).map(fileProblemText).join(" ");
    return void (await vscode.window.showErrorMessage(
      vscode.l10n.t("The file is not an exchange profile, so nothing was changed. {0}", shown),
    ));
  }
  const { origin, host } = file.profile.baseUrl;
  const draft = profileOf(accounts, venue.account);
  const isSameExchange = URL.canParse(draft.baseUrl) && new URL(draft.baseUrl).origin === origin;
  const own = isSameExchange ? { account: venue.account, draft } : undefined;
  if (!(await isConfirmed(file, own))) return;
  const profile = { ...file.draft };
  let added: Account | undefined;
  const isImported = await isSaved(log, () => {
    if (own) accounts.edit(own.account.id, { profile });
    else added = accounts.add({ label: host, profile });
  });
  if (!isImported) return;
  log.info(`An exchange profile for ${origin} was imported`);
  const text = vscode.l10n.t("The profile for {0} was imported.", host);
  if (!added) return await offer("showInformationMessage", text, testLink());
  const button = vscode.l10n.t("Switch to {0}", added.label);
  if ((await vscode.window.showInformationMessage(text, button)) === button) windowAccount.choose(added);
}

/** Command "Export Exchange Profile…": writes the profile of the window's account to a file, without any key. */
export async function exportProfile({ accounts, venue, log }: Desk): Promise<void> {
  const draft = profileOf(accounts, venue.account);
  const profile = readProfile(draft);
  if (Array.isArray(profile)) {
    const text = profile.map(profileText).join(" ");
    return await offer("showErrorMessage", text, addAccountLink());
  }
  await exportDraft(draft, log);
}

/** Writes the profile to a file that the user picks. */
export async function exportDraft(draft: ProfileDraft, log: Desk["log"]): Promise<void> {
  await saveFile(log, {
    title: vscode.l10n.t("Export Exchange Profile"),
    filters: { JSON: ["json"] },
    content: () => writeProfileFile(draft),
    saved: (path) => vscode.l10n.t("Exchange profile exported, without a key: {0}", path),
    failed: (path) =>
      vscode.l10n.t(
        "The profile could not be written to {0}. Close it if another program uses it, or choose another folder.",
        path,
      ),
  });
}

/** Checks the size first, so that a huge file is not read. */
async function readFile(source: vscode.Uri): Promise<ProfileFile | ProfileFileProblem[]> {
  const { size } = await vscode.workspace.fs.stat(source);
  if (size > MAX_PROFILE_BYTES) return ["fileTooLarge"];
  return readProfileFile(await vscode.workspace.fs.readFile(source));
}

/** The account that a file is for, with its profile so far. */
interface OwnAccount {
  readonly account: Account;
  readonly draft: ProfileDraft;
}

async function isConfirmed(file: ProfileFile, own: OwnAccount | undefined): Promise<boolean> {
  const question = vscode.l10n.t("Use the exchange profile for {0}?", file.profile.baseUrl.host);
  const button = vscode.l10n.t("Import Profile");
  const detail = summaryOf(file, own).join("\n");
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, button)) === button;
}

function summaryOf({ name, profile }: ProfileFile, own: OwnAccount | undefined): string[] {
  const now = own && readProfile(own.draft);
  const before = !now || Array.isArray(now) ? [] : featureTexts(now.features);
  const after = featureTexts(profile.features);
  const ended = before.filter((text) => !after.includes(text));
  return [
    ...(name === undefined ? [] : [vscode.l10n.t("Name in the file: {0}", sanitizeText(name))]),
    vscode.l10n.t("Address: {0}", profile.baseUrl.href),
    hostsText(profile),
    vscode.l10n.t("Header prefix: {0}", profile.headerPrefix),
    ...unusualPathTexts(profile),
    after.length > 0
      ? vscode.l10n.t("It turns on: {0}.", after.join(", "))
      : vscode.l10n.t("It turns on no features beyond prices, balance and buying."),
    ...(ended.length > 0 ? [vscode.l10n.t("It turns off: {0}.", ended.join(", "))] : []),
    own
      ? vscode.l10n.t(
          "It replaces the address, paths and features of {0} immediately. The API key stays.",
          own.account.label,
        )
      : vscode.l10n.t("It adds a live account without an API key. This window stays on its account."),
    vscode.l10n.t("Only import a profile from a source you trust: your signed orders go to its address."),
  ];
}

/** Names every host that gets the API key. */
function hostsText({ baseUrl: { host }, features }: ServiceProfile): string {
  const streamHost = features.privateStream?.host ?? host;
  return streamHost === host
    ? vscode.l10n.t("All requests and streams go to {0} and no other host.", host)
    : vscode.l10n.t(
        "All requests go to {0}. Your orders are streamed from {1}, which also gets your API key.",
        host,
        streamHost,
      );
}

/** Lists paths that no documented exchange of the family uses, because a phishing profile would need one. */
function unusualPathTexts(profile: ServiceProfile): string[] {
  const unusual = pathsOf(profile).filter(({ endpoint, path }) => !isUsualPath(endpoint, path));
  if (unusual.length === 0) return [];
  return [
    vscode.l10n.t("Unusual paths; compare them with the exchange's documentation:"),
    ...unusual.map(({ endpoint, method, path }) => `    ${endpoint}: ${method} ${path}`),
  ];
}
