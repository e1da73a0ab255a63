import * as vscode from "vscode";
import { mcpProviderId, settingKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { windowsFolder } from "../openWindows.ts";
import { assistantAccess, onDidChangeSettings } from "../settings.ts";
import { writeLauncher, launcherIn } from "./mcpLauncher.ts";
import { registerIfOffered } from "./optionalApi.ts";

/** Registers the MCP server with the editor, unless assistant access is off. */
export class McpServers
  extends Disposable
  implements vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition>
{
  readonly #context: vscode.ExtensionContext;
  readonly #desk: Desk;
  readonly #changed = new vscode.EventEmitter<void>();

  readonly onDidChangeMcpServerDefinitions = this.#changed.event;

  constructor(context: vscode.ExtensionContext, desk: Desk) {
    super();
    this.#context = context;
    this.#desk = desk;
    this.register(
      this.#changed,
      registerIfOffered(
        () => vscode.lm.registerMcpServerDefinitionProvider(mcpProviderId, this),
        () => desk.log.debug("Assistants: this editor does not offer servers for assistants"),
      ),
      onDidChangeSettings([settingKeys.assistantAccess], () => {
        this.#writeLauncher();
        this.#changed.fire();
      }),
    );
    // For assistants outside the editor, which never query the editor for the server. Deferred, to keep startup fast.
    void desk.allWindows.settled().then(() => this.#writeLauncher());
  }

  provideMcpServerDefinitions(): vscode.McpStdioServerDefinition[] {
    const level = assistantAccess();
    if (level === "off") return [];
    const { version } = this.#context.extension.packageJSON as { readonly version: string };
    const windows = windowsFolder(this.#context);
    return [
      new vscode.McpStdioServerDefinition(
        "Bidside",
        process.execPath,
        // The editor queries this again after an update. The launcher's path also stays valid in other programs'
        // configurations.
        this.#writeLauncher() ? [launcherIn(this.#desk.recordsFolder)] : [this.#script, windows],
        // Makes the desktop editor's executable run as Node.
        { ELECTRON_RUN_AS_NODE: "1" },
        // A different level has different tools, so the editor must query them again.
        `${version}-${level}`,
      ),
    ];
  }

  get #script(): string {
    return vscode.Uri.joinPath(this.#context.extensionUri, "dist", "mcp.js").fsPath;
  }

  /** Keeps the launcher current while assistants have access. False if it cannot be written. */
  #writeLauncher(): boolean {
    if (assistantAccess() === "off") return false;
    try {
      const location = { script: this.#script, windows: windowsFolder(this.#context) };
      writeLauncher(launcherIn(this.#desk.recordsFolder), location);
      return true;
    } catch (error) {
      this.#desk.log.warn(`Assistants: ${errorLine(error)}`);
      return false;
    }
  }
}
