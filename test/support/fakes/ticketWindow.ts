import type { Desk } from "../../../src/desk/desk.ts";
import type { TicketWindow } from "../../../src/ui/ticket/ticketPanel.ts";
import { loadUi } from "./vscode.ts";

const { ActivePair } = await loadUi(() => import("../../../src/ui/activePair.ts"));

/** A window without Markets and charts. */
export function ticketWindow({ tickers }: Pick<Desk, "tickers">): TicketWindow {
  return { activePair: new ActivePair(tickers), symbols: () => [] };
}
