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
import type { AccountTarget } from "./profileOf.ts";
import { offer, setUpLink, showLogLink, testLink } from "../commands.ts";
import { saveFile } from "../saveFile.ts";
import { profileSetting, saveProfile, venueSetting } from "../settings.ts";
import { profileText } from "../text/errorText.ts";
import { sanitizeText } from "../text/sanitizeText.ts";
import { featureTexts } from "./featureText.ts";

const MAX_PROBLEMS = 5;

/**
 * Command "Import Exchange Profile…": reads a profile file, shows what it changes and which host it uses, and writes
 * the settings after one confirmation. A profile contains no key, and no order is placed.
 */
export async function importProfile(log: Desk["log"], target?: AccountTarget): Promise<void> {
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
  if (!(await isConfirmed(file, target))) return;
  if (target) target.use(file.draft);
  else await saveProfile(file.draft);
  log.info(`An exchange profile for ${file.profile.baseUrl.origin} was imported`);
  await offerNextStep(file);
}

/** Command "Export Exchange Profile…": writes the live exchange's settings to a file, without any key. */
export async function exportProfile(log: Desk["log"], target?: AccountTarget): Promise<void> {
  const draft = target?.draft ?? profileSetting();
  const profile = readProfile(draft);
  if (Array.isArray(profile)) {
    const text = profile.map(profileText).join(" ");
    return await offer("showErrorMessage", text, setUpLink());
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

async function isConfirmed(file: ProfileFile, target: AccountTarget | undefined): Promise<boolean> {
  const question = vscode.l10n.t("Use the exchange profile for {0}?", file.profile.baseUrl.host);
  const button = vscode.l10n.t("Import Profile");
  const detail = summaryOf(file, target).join("\n");
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, button)) === button;
}

function summaryOf({ name, profile }: ProfileFile, target: AccountTarget | undefined): string[] {
  const now = readProfile(target?.draft ?? profileSetting());
  const before = Array.isArray(now) ? [] : featureTexts(now.features);
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
    vscode.l10n.t("It replaces the address and all other settings of your live exchange."),
    target || venueSetting() === "live"
      ? vscode.l10n.t("You are on the live exchange, so this takes effect immediately.")
      : vscode.l10n.t("You stay on the practice exchange until you switch."),
    vscode.l10n.t(
      "A profile contains no API key. A key entered for another address is never sent to this one.",
    ),
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

async function offerNextStep({ profile }: ProfileFile): Promise<void> {
  const text = vscode.l10n.t("The profile for {0} was imported.", profile.baseUrl.host);
  await offer("showInformationMessage", text, venueSetting() === "live" ? testLink() : setUpLink());
}

function fileProblemText(problem: ProfileFileProblem): string {
  switch (problem) {
    case "fileTooLarge":
      return vscode.l10n.t("It is larger than 64 KB.");
    case "fileNotJson":
      return vscode.l10n.t("It is not JSON.");
    case "fileNotProfile":
      return vscode.l10n.t("It does not begin with {0}.", '"bidsideProfile": 1');
    default:
      return isFieldProblem(problem) ? fieldText(problem.slice("fileField:".length)) : profileText(problem);
  }
}

function isFieldProblem(problem: ProfileFileProblem): problem is `fileField:${string}` {
  return problem.startsWith("fileField:");
}

function fieldText(field: string): string {
  return vscode.l10n.t(
    "{0} is not part of a profile, is missing, occurs twice, or has an invalid value.",
    sanitizeText(field).slice(0, 100),
  );
}
