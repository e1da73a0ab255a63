import * as vscode from "vscode";
import { readLevel } from "../../assistant/access.ts";
import { mcpProviderId, settingKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { windowsFolder } from "../openWindows.ts";
import { assistantAccess, onDidChangeSettings } from "../settings.ts";
import { registerIfOffered } from "./optionalApi.ts";

/** Tells the editor, and through it other assistants, how to start the server for assistants; not while access is off. */
export class McpServers
  extends Disposable
  implements vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition>
{
  readonly #context: vscode.ExtensionContext;
  readonly #changed = new vscode.EventEmitter<void>();

  readonly onDidChangeMcpServerDefinitions = this.#changed.event;

  constructor(context: vscode.ExtensionContext, log: Pick<Desk["log"], "debug">) {
    super();
    this.#context = context;
    this.register(
      this.#changed,
      registerIfOffered(
        () => vscode.lm.registerMcpServerDefinitionProvider(mcpProviderId, this),
        () => log.debug("Assistants: this editor does not offer servers for assistants"),
      ),
      onDidChangeSettings([settingKeys.assistantAccess], () => this.#changed.fire()),
    );
  }

  provideMcpServerDefinitions(): vscode.McpStdioServerDefinition[] {
    const level = readLevel(assistantAccess());
    if (level === "off") return [];
    const { extensionUri, extension } = this.#context;
    const { version } = extension.packageJSON as { readonly version: string };
    const script = vscode.Uri.joinPath(extensionUri, "dist", "mcp.js").fsPath;
    return [
      new vscode.McpStdioServerDefinition(
        "Bidside",
        process.execPath,
        [script, windowsFolder(this.#context)],
        // A desktop editor's own program then runs as Node.
        { ELECTRON_RUN_AS_NODE: "1" },
        // Another level has other tools: the editor asks for them again.
        `${version}-${level}`,
      ),
    ];
  }
}
