import { defaultRules } from "../../../src/market/order.ts";
import type { FormQuote, FromTicket, PairRow, ToTicket } from "../../../src/protocol/ticket.ts";
import { PRACTICE } from "../builders/formDraft.ts";
import { loadUi } from "../fakes/vscode.ts";
import { HostedPage } from "./hostedPage.ts";

/** The order ticket's page in a browser without an editor: the test is its host. */
export class TicketPage extends HostedPage<FromTicket, ToTicket> {
  /** `state` is the state stored by an earlier page. */
  static async open(state?: unknown, drivesClock?: boolean): Promise<TicketPage> {
    const { ticketHtml } = await loadUi(() => import("../../../src/ui/ticket/ticketHtml.ts"));
    const page = await HostedPage.load({
      name: "ticket",
      html: (webview, extensionUri) => ticketHtml(webview, extensionUri, defaultRules),
      size: { width: 480, height: 860 },
      state,
      drivesClock,
    });
    return new TicketPage(page);
  }

  /** Chooses a pair by typing part of its name. */
  async choose(typed: string): Promise<void> {
    await this.get("pair").fill(typed);
    await this.get("pair").press("Enter");
  }

  /** The page's last message of a type to its host. */
  async last<Type extends FromTicket["type"]>(
    type: Type,
  ): Promise<Extract<FromTicket, { type: Type }> | undefined> {
    const sent = await this.sent();
    return sent.findLast((message): message is Extract<FromTicket, { type: Type }> => message.type === type);
  }
}

export function pairOf(symbol: string, given: Partial<PairRow> = {}): PairRow {
  const [quote = "", base = ""] = symbol.split("_");
  return { symbol, base, quote, last: "100.00", change: "▲ +1.50%", frozen: false, ...given };
}

/** The market of practice with these pairs. */
export function marketOf(
  symbols: readonly string[],
  given: Partial<Extract<ToTicket, { type: "market" }>> = {},
): ToTicket {
  const pairs = symbols.map((symbol) => pairOf(symbol));
  return { type: "market", exchange: PRACTICE, inverted: false, pairs, note: undefined, ...given };
}

export const LIVE = {
  key: "https://api.example.com",
  name: "api.example.com",
  live: true,
  offersAsks: false,
  offersPostOnly: false,
  offersBook: false,
};

/** A pair's quote: 100 THB, with 1,000 THB available. */
export function quoteOf(symbol: string, given: Partial<FormQuote> = {}): ToTicket {
  const [quote = "", base = ""] = symbol.split("_");
  const figures = {
    last: "100",
    bestBid: "99.5",
    bestAsk: "100.5",
    places: 2,
    available: "1000",
    availableBase: "2",
    limits: {
      feeShare: "0.0025",
      quantityPlaces: 8,
      rateStep: undefined,
      text: "Default limits: minimum 10.00 THB.",
      tooltip: "",
    },
  };
  return { type: "quote", quote: { symbol, quote, base, ...figures, hidden: false, note: "", ...given } };
}

/** The ticket's message after an attempt. */
export function outcomeOf(given: Partial<Extract<ToTicket, { type: "outcome" }>> = {}): ToTicket {
  return {
    type: "outcome",
    notice: undefined,
    fields: {},
    busy: false,
    done: false,
    ended: undefined,
    ...given,
  };
}
