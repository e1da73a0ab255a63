import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { Assistant } from "../../assistant/assistant.ts";
import { PreparedDrafts } from "../../assistant/preparedDrafts.ts";
import { PreparedSlot } from "../../assistant/preparedSlot.ts";
import type { Desk } from "../../desk/desk.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { Disposable } from "../../desk/disposable.ts";
import { thisSystem } from "../../files/operatingSystem.ts";
import { windowsFolder } from "../openWindows.ts";
import { amountsAreHidden, assistantAccess, valuesIn } from "../settings.ts";
import type { Ticket } from "../ticket/ticket.ts";
import { confirmAlert } from "./alertQuestion.ts";
import { registerTools } from "./assistantTools.ts";
import { openLink } from "./links.ts";
import { McpServers } from "./mcpServer.ts";
import { WindowIpcServer } from "./windowIpcServer.ts";

/** Registers everything besides the user that may fill in the order ticket: assistants' tools and links. */
export function showAssistants(context: vscode.ExtensionContext, desk: Desk, ticket: Ticket): Disposable {
  const drafts = new PreparedDrafts({
    timers: desk.timers,
    newId: randomUUID,
    ticket: ticket.prepared,
    place: new PreparedSlot(windowsFolder(context), thisSystem),
    warn: (error) => desk.log.warn(`Prepared order: ${errorLine(error)}`),
  });
  const assistant = new Assistant({
    desk,
    level: assistantAccess,
    areAmountsHidden: () => amountsAreHidden(),
    valuesIn,
    drafts,
    confirmAlert,
  });
  return new Disposable(
    registerTools(assistant, desk.log),
    assistant,
    new WindowIpcServer(context, desk, assistant),
    new McpServers(context, desk),
    vscode.window.registerUriHandler({ handleUri: (link) => openLink(desk, drafts, link) }),
  );
}
