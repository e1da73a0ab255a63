import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { PreparedDrafts } from "../../assistant/preparedDrafts.ts";
import type { Desk } from "../../desk/desk.ts";
import type { Ticket } from "../ticket/ticket.ts";
import { AssistantTools } from "./assistantTools.ts";
import { Links } from "./links.ts";
import { McpServers } from "./mcpServer.ts";
import { WindowDoor } from "./windowDoor.ts";

/** All that may fill in the order ticket beside the person: the tools of assistants, and links. */
export function showAssistants(
  context: vscode.ExtensionContext,
  desk: Desk,
  ticket: Ticket,
): vscode.Disposable {
  let opening: Promise<PreparedDrafts> | undefined;
  const open = async (): Promise<PreparedDrafts> => {
    const { PreparedDrafts } = await import("../../assistant/preparedDrafts.ts");
    return new PreparedDrafts({ timers: desk.timers, newId: randomUUID, ticket: ticket.prepared });
  };
  // Assistants and links share one place in the ticket.
  const drafts = (): Promise<PreparedDrafts> => (opening ??= open());
  const tools = new AssistantTools(desk, drafts);
  return vscode.Disposable.from(
    tools,
    new WindowDoor(context, desk, tools),
    new McpServers(context),
    vscode.window.registerUriHandler(new Links(desk, drafts)),
  );
}
