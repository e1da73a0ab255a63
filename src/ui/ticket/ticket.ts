import * as vscode from "vscode";
import { panelTypes } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import type { Place } from "../../desk/venue.ts";
import type { TicketFill } from "../../protocol/ticket.ts";
import { registerCommands, symbolOf } from "../commands.ts";
import type { TicketPanel } from "./ticketPanel.ts";

/** Access to the order ticket. The ticket, and all that an order needs, is loaded at its first use. */
export class Ticket extends Disposable implements vscode.WebviewPanelSerializer {
  readonly #extensionUri: vscode.Uri;
  readonly #desk: Desk;
  #panel: Promise<TicketPanel> | undefined;

  constructor(context: vscode.ExtensionContext, desk: Desk) {
    super();
    this.#extensionUri = context.extensionUri;
    this.#desk = desk;
    this.register(
      vscode.window.registerWebviewPanelSerializer(panelTypes.bidForm, this),
      registerCommands({
        placeBid: (pair) => {
          const symbol = symbolOf(pair);
          return this.open(symbol === undefined ? {} : { symbol });
        },
      }),
    );
  }

  /** As `TicketPanel.open`, whose code this loads. */
  async open(fill: TicketFill, from?: Place): Promise<void> {
    (await this.#load()).open(fill, from);
  }

  /** The editor was reloaded while the ticket was open. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    await (await this.#load()).attach(panel);
  }

  #load(): Promise<TicketPanel> {
    return (this.#panel ??= this.#create());
  }

  async #create(): Promise<TicketPanel> {
    const [{ TicketPanel }, placer] = await Promise.all([import("./ticketPanel.ts"), this.#desk.placer()]);
    return this.register(new TicketPanel(this.#desk, placer, this.#extensionUri));
  }
}
