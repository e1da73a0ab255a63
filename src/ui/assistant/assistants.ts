import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import type { Ticket } from "../ticket/ticket.ts";
import { AssistantTools } from "./assistantTools.ts";
import { McpServers } from "./mcpServer.ts";
import type { WindowAssistant } from "./windowAssistant.ts";
import { type LateDoor, WindowDoor } from "./windowDoor.ts";

/** What the first call of a tool or the first link needs, and an open door. */
interface LateAssistants extends LateDoor {
  readonly WindowAssistant: typeof WindowAssistant;
}

/** All that may fill in the order ticket beside the person: the tools of assistants, and links. */
export function showAssistants(
  context: vscode.ExtensionContext,
  desk: Desk,
  ticket: Ticket,
  late: () => Promise<LateAssistants>,
): vscode.Disposable {
  let opened: WindowAssistant | undefined;
  const open = async (): Promise<WindowAssistant> => {
    const { WindowAssistant } = await late();
    return (opened ??= new WindowAssistant(context, desk, ticket.prepared));
  };
  const { log } = desk;
  const tools = new AssistantTools(async (name, input) => await (await open()).call(name, input), log);
  return vscode.Disposable.from(
    tools,
    { dispose: () => opened?.dispose() },
    new WindowDoor(context, desk, tools, late),
    new McpServers(context, desk),
    vscode.window.registerUriHandler({ handleUri: async (link) => await (await open()).openLink(link) }),
  );
}
