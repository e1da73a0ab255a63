import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { PreparedDrafts } from "../../assistant/preparedDrafts.ts";
import type { Desk } from "../../desk/desk.ts";
import type { Ticket } from "../ticket/ticket.ts";
import { AssistantTools, type LateTools } from "./assistantTools.ts";
import { type LateLinks, Links } from "./links.ts";
import { McpServers } from "./mcpServer.ts";
import { type LateDoor, WindowDoor } from "./windowDoor.ts";

/** All that may fill in the order ticket beside the person: the tools of assistants, and links. */
export function showAssistants(
  context: vscode.ExtensionContext,
  desk: Desk,
  ticket: Ticket,
  late: () => Promise<LateTools & LateLinks & LateDoor>,
): vscode.Disposable {
  // Assistants and links share one place in the ticket.
  const drafts = new PreparedDrafts({ timers: desk.timers, newId: randomUUID, ticket: ticket.prepared });
  const tools = new AssistantTools(desk, drafts, late);
  return vscode.Disposable.from(
    tools,
    new WindowDoor(context, desk, tools, late),
    new McpServers(context),
    vscode.window.registerUriHandler(new Links(desk, drafts, late)),
  );
}
