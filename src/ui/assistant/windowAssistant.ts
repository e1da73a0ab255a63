import { randomUUID } from "node:crypto";
import type * as vscode from "vscode";
import { readLevel } from "../../assistant/access.ts";
import { Assistant, type CallResult } from "../../assistant/assistant.ts";
import { PreparedDrafts, type PreparedTicket } from "../../assistant/preparedDrafts.ts";
import { PreparedSlot } from "../../assistant/preparedSlot.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { thisComputer } from "../../files/computer.ts";
import { windowsFolder } from "../openWindows.ts";
import { assistantAccess, shownAmounts } from "../settings.ts";
import { confirmAlert } from "./alertQuestion.ts";
import { openLink } from "./links.ts";

/** Handles assistants and links in this window. All windows share one slot for a prepared order. */
export class WindowAssistant extends Disposable {
  readonly #desk: Desk;
  readonly #drafts: PreparedDrafts;
  readonly #assistant: Assistant;

  constructor(context: vscode.ExtensionContext, desk: Desk, ticket: PreparedTicket) {
    super();
    this.#desk = desk;
    const drafts = (this.#drafts = new PreparedDrafts({
      timers: desk.timers,
      newId: randomUUID,
      ticket,
      place: new PreparedSlot(windowsFolder(context), thisComputer),
      warn: (error) => desk.log.warn(`Prepared order: ${errorLine(error)}`),
    }));
    this.#assistant = this.register(
      new Assistant({
        desk,
        level: () => readLevel(assistantAccess()),
        areAmountsHidden: () => shownAmounts().areHidden,
        drafts,
        confirmAlert,
      }),
    );
  }

  /** Runs a tool within the user's access level. Never rejects. */
  async call(name: string, input: unknown): Promise<CallResult> {
    return await this.#assistant.call(name, input);
  }

  /** Opens a link `vscode://bidside.bidside/…`, or shows why not. */
  async openLink(link: Pick<vscode.Uri, "path" | "query">): Promise<void> {
    await openLink(this.#desk, this.#drafts, link);
  }
}
