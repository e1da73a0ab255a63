import * as vscode from "vscode";
import type { PreparedTicket } from "../../assistant/preparedDrafts.ts";
import { contextKeys, panelTypes } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { offersAsks } from "../../desk/venue.ts";
import type { AccountRef, OrderName, Side } from "../../market/order.ts";
import type { TicketFill } from "../../protocol/ticket.ts";
import type { OwnOrder } from "../../storage/orders/order.ts";
import { registerCommands, symbolOf } from "../commands.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { TicketPanel, type TicketWindow } from "./ticketPanel.ts";

/** Opens the order ticket, creating it on first use. */
export class Ticket extends Disposable implements vscode.WebviewPanelSerializer {
  readonly #extensionUri: vscode.Uri;
  readonly #desk: Desk;
  readonly #window: TicketWindow;
  #panel: TicketPanel | undefined;
  #shownOffer = false;

  constructor(context: vscode.ExtensionContext, desk: Desk, window: TicketWindow) {
    super();
    this.#extensionUri = context.extensionUri;
    this.#desk = desk;
    this.#window = window;
    this.register(
      vscode.window.registerWebviewPanelSerializer(panelTypes.bidForm, this),
      registerCommands({
        placeBid: (pair) => this.#begin("buy", pair),
        openTicket: (pair) => this.#begin("buy", pair),
        placeAsk: (pair) => this.#begin("sell", pair),
        // The pair that prices a Wallet row's asset can sell it.
        sellAsset: (row) => this.#begin("sell", row),
      }),
      desk.venue.onDidChange(() => this.#showOffer()),
    );
    this.#showOffer();
  }

  /**
   * Opens the ticket for one side of a pair, or of the active pair. Refuses to sell if the exchange does not support
   * it.
   */
  #begin(side: Side, pair: unknown): void {
    if (side === "sell" && !offersAsks(this.#desk.venue.venue))
      return showStatusMessage(vscode.l10n.t("This exchange does not offer sell orders."));
    const symbol = symbolOf(pair) ?? this.#window.activePair.symbol;
    this.open({ side, ...(symbol !== undefined && { symbol }) });
  }

  #showOffer(): void {
    const isOffered = offersAsks(this.#desk.venue.venue);
    if (isOffered === this.#shownOffer) return;
    this.#shownOffer = isOffered;
    void vscode.commands.executeCommand("setContext", contextKeys.offersAsks, isOffered);
  }

  /** As `TicketPanel.open`. */
  open(fill: TicketFill, from?: AccountRef): void {
    this.#opened().open(fill, from);
  }

  /** As `TicketPanel.introduce`. */
  introduce(symbol: string): void {
    this.#opened().introduce(symbol);
  }

  /** As `TicketPanel.isShowing`. */
  isShowing(name: OrderName): boolean {
    return this.#panel?.isShowing(name) === true;
  }

  /** As `TicketPanel.changeOrder`. */
  changeOrder(order: OwnOrder): Promise<void> {
    return this.#opened().changeOrder(order);
  }

  readonly prepared: PreparedTicket = {
    open: async (draft, onRemoved) => this.#opened().openPrepared(draft, onRemoved),
    withdraw: (id) => this.#panel?.withdraw(id),
  };

  /** Restores the ticket after a window reload. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await this.#opened().attach(panel, state);
  }

  #opened(): TicketPanel {
    return (this.#panel ??= this.register(new TicketPanel(this.#desk, this.#extensionUri, this.#window)));
  }
}
