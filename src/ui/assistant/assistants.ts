import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { PreparedDrafts } from "../../assistant/preparedDrafts.ts";
import { PreparedPlace } from "../../assistant/preparedPlace.ts";
import type { Desk } from "../../desk/desk.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { thisComputer } from "../../files/computer.ts";
import { windowsFolder } from "../openWindows.ts";
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
  let place: PreparedPlace | undefined;
  // Assistants and links share one place, in all windows.
  const drafts = new PreparedDrafts({
    timers: desk.timers,
    newId: randomUUID,
    ticket: ticket.prepared,
    place: () => (place ??= new PreparedPlace(windowsFolder(context), thisComputer)),
    warn: (error) => desk.log.warn(`Prepared order: ${errorLine(error)}`),
  });
  const tools = new AssistantTools(desk, drafts, late);
  return vscode.Disposable.from(
    tools,
    new WindowDoor(context, desk, tools, late),
    new McpServers(context),
    vscode.window.registerUriHandler(new Links(desk, drafts, late)),
  );
}
