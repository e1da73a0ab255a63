import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import type { Ticket } from "../ticket/ticket.ts";
import { AssistantTools } from "./assistantTools.ts";
import { McpServers } from "./mcpServer.ts";
import { WindowAssistant } from "./windowAssistant.ts";
import { WindowIpcServer } from "./windowIpcServer.ts";

/** Everything besides the user that may fill in the order ticket: assistants' tools and links. */
export function showAssistants(
  context: vscode.ExtensionContext,
  desk: Desk,
  ticket: Ticket,
): vscode.Disposable {
  const assistant = new WindowAssistant(context, desk, ticket.prepared);
  const tools = new AssistantTools((name, input) => assistant.call(name, input), desk.log);
  return vscode.Disposable.from(
    tools,
    assistant,
    new WindowIpcServer(context, desk, tools),
    new McpServers(context, desk),
    vscode.window.registerUriHandler({ handleUri: (link) => assistant.openLink(link) }),
  );
}
