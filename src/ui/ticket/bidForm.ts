import * as vscode from "vscode";
import { panelTypes } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import type { Place } from "../../desk/venue.ts";
import type { TicketFill } from "../../protocol/bidForm.ts";
import type { BidPanel } from "./bidPanel.ts";

export interface BidFormParts {
  readonly desk: Desk;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}

/** Access to the order ticket. The ticket, and all that a bid needs, is loaded at its first use. */
export class BidForm implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #parts: BidFormParts;
  readonly #serializer: vscode.Disposable;
  #panel: Promise<BidPanel> | undefined;

  constructor(parts: BidFormParts) {
    this.#parts = parts;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(panelTypes.bidForm, this);
  }

  /**
   * Shows the ticket and fills in what is given; everything else that was typed stays. Figures of another exchange,
   * named by `from`, are not filled in: the person is told.
   */
  async open(fill: TicketFill, from?: Place): Promise<void> {
    (await this.#load()).open(fill, from);
  }

  /** The editor was reloaded while the ticket was open. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    await (await this.#load()).deserializeWebviewPanel(panel);
  }

  dispose(): void {
    this.#serializer.dispose();
    void this.#panel?.then((panel) => panel.dispose());
  }

  #load(): Promise<BidPanel> {
    return (this.#panel ??= this.#create());
  }

  async #create(): Promise<BidPanel> {
    const [{ BidPanel }, placer] = await Promise.all([import("./bidPanel.ts"), this.#parts.desk.placer()]);
    return new BidPanel({ ...this.#parts, placer });
  }
}
