import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import * as vscode from "vscode";
import { start as startApp } from "../../../src/app.ts";
import { containerId, contextKeys, stateKeys } from "../../../src/contributions.ts";
import { userDataFolder } from "../../../src/files/userDataFolder.ts";
import { writeAccounts } from "../../support/builders/account.ts";
import { applySettings } from "../../support/editorSettings.ts";
import { hostFolders, type HostRequest } from "./hostRequest.ts";

const ownAuthorities = getCACertificates("default");

/**
 * Stands in for the app in the editors of journeys, and starts it: `src/app.ts` is the production build there. Takes requests of the
 * journeys on loopback. Its user has seen Markets before, unless a journey asks for one who has not. It belongs to no package.
 */
export function start(context: vscode.ExtensionContext): void {
  // Of the memento, a value is there at once.
  void context.globalState.update(stateKeys.firstLook, true);
  let app = run(context);
  const server = createServer((request, response) => {
    void serve(request).then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });

  async function serve(request: IncomingMessage): Promise<void> {
    const asked = JSON.parse(await text(request)) as HostRequest;
    if (asked.type === "run") {
      await vscode.commands.executeCommand(asked.command, ...asked.args);
      return;
    }
    await emptyWindow();
    app.dispose();
    await forget(context);
    if (!asked.isFirstLook) await context.globalState.update(stateKeys.firstLook, true);
    await applySettings(asked.settings);
    setDefaultCACertificates([...ownAuthorities, ...asked.authorities]);
    for (const [key, secret] of Object.entries(asked.secrets)) await context.secrets.store(key, secret);
    mkdirSync(stateFolder(context, resets(context) + 1), { recursive: true });
    setDataHome(context);
    if (asked.accounts.length > 0) writeAccounts(recordsFolder(), asked.accounts);
    app = run(context);
  }

  server.listen(0, "127.0.0.1", () => {
    const hosts = join(context.globalStorageUri.fsPath, hostFolders.hosts);
    mkdirSync(hosts, { recursive: true });
    writeFileSync(join(hosts, String((server.address() as AddressInfo).port)), "");
  });
  context.subscriptions.push({ dispose: () => server.close() }, { dispose: () => app.dispose() });
}

/**
 * Starts the app with subscriptions and storage of its own. The storage is new after each reset, because the app before may still be
 * closing its files.
 */
function run(context: vscode.ExtensionContext): vscode.Disposable {
  const folder = setDataHome(context);
  const subscriptions: vscode.Disposable[] = [];
  const own = {
    subscriptions: { value: subscriptions },
    globalStorageUri: { value: vscode.Uri.file(folder) },
  };
  startApp(Object.create(context, own) as vscode.ExtensionContext);
  return vscode.Disposable.from(...subscriptions);
}

/** Returns the storage since the last reset, after making it the home of the user's data. */
function setDataHome(context: vscode.ExtensionContext): string {
  const folder = stateFolder(context, resets(context));
  process.env["XDG_DATA_HOME"] = join(folder, hostFolders.dataHome);
  return folder;
}

/** Where the app keeps its records. */
function recordsFolder(): string {
  const { uriScheme: scheme, appName: name } = vscode.env;
  return userDataFolder({ platform: process.platform, env: process.env, home: homedir(), scheme, name });
}

function stateFolder(context: vscode.ExtensionContext, number: number): string {
  return join(context.globalStorageUri.fsPath, `${hostFolders.state}${number}`);
}

/** How often this storage was reset. */
function resets(context: vscode.ExtensionContext): number {
  return globSync(`${hostFolders.state}*`, { cwd: context.globalStorageUri.fsPath })
    .map((name) => Number(name.slice(hostFolders.state.length)))
    .reduce((most, each) => Math.max(most, each), 0);
}

/** Closes all that is open in the window, and brings Bidside's sidebar to the front. */
async function emptyWindow(): Promise<void> {
  for (const command of [
    "workbench.action.closeQuickOpen",
    "workbench.action.closeAllEditors",
    "workbench.action.closePanel",
    "notifications.clearAll",
    `workbench.view.extension.${containerId}`,
  ])
    await vscode.commands.executeCommand(command);
}

/** Removes what the editor stores for the extension. */
async function forget({ globalState, workspaceState }: vscode.ExtensionContext): Promise<void> {
  for (const state of [globalState, workspaceState])
    for (const key of state.keys()) await state.update(key, undefined);
  for (const key of Object.values(contextKeys))
    await vscode.commands.executeCommand("setContext", key, undefined);
}
