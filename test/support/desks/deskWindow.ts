import type { Orders } from "../../../src/desk/orders/orders.ts";
import { UnknownOrders } from "../../../src/desk/orders/unknownOrders.ts";
import type { CurrentVenue } from "../../../src/desk/venue.ts";
import type { FakeTimers } from "../fakes/timers.ts";
import { journalledOrders } from "./journalledOrders.ts";

export interface DeskWindowOptions {
  /** Of the order journal, which all windows share. */
  readonly directory: string;
  readonly venue: CurrentVenue;
  readonly timers: FakeTimers;
  readonly random: () => number;
}

/** A window of the editor, as far as orders are concerned. */
export class DeskWindow {
  readonly orders: Orders;
  readonly unknownBids: UnknownOrders;
  inFront = false;

  constructor({ directory, venue, timers, random }: DeskWindowOptions) {
    this.orders = journalledOrders(directory, timers.now);
    const isMine = (): boolean => this.inFront;
    this.unknownBids = new UnknownOrders({ orders: this.orders, venue, timers, random, isMine });
  }

  async close(): Promise<void> {
    this.inFront = false;
    this.unknownBids.dispose();
    await this.orders.close();
  }
}

/** Brings one of the windows to the front, as a person does: it reads what the others wrote. */
export async function bringToFront(windows: readonly DeskWindow[], index: number): Promise<void> {
  for (const [each, window] of windows.entries()) window.inFront = each === index;
  await windows[index]?.orders.reread();
}
