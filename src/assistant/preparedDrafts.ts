import type { Preparer } from "../desk/orders/orderPlacer.ts";
import type { Side } from "../market/order.ts";
import type { Timers } from "../time/timers.ts";
import type { SlotRefusal, PreparedSlot, HeldSlot } from "./preparedSlot.ts";

/** An order filled in by someone other than the user. Amount and rate may be "", to be typed by the user. */
export interface PreparedDraft {
  readonly id: string;
  readonly by: Preparer;
  readonly side: Side;
  readonly symbol: string;
  readonly amount: string;
  readonly rate: string;
  readonly postOnly: boolean;
}

/** The part of a window's order ticket that prepared drafts use. */
export interface PreparedTicket {
  /**
   * Shows the draft in the ticket without taking focus. Resolves to false, and changes nothing, if the ticket has other figures
   * or its order is being confirmed or sent. `removed` is called once, when the draft leaves the ticket.
   */
  open(draft: PreparedDraft, removed: () => void): Promise<boolean>;
  /** Removes the draft from the ticket, unless the user changed or submitted it. */
  withdraw(id: string): void;
}

/** A prepared draft that the user does not touch is removed after this time. */
export const PREPARED_ORDER_MS = 120_000;

export type DraftRefusal = SlotRefusal | "ticketInUse";

interface PreparedDraftsOptions {
  readonly timers: Timers;
  readonly newId: () => string;
  readonly ticket: PreparedTicket;
  readonly place: PreparedSlot;
  /** Reports a disk error while a draft's slot is released. */
  readonly warn: (error: unknown) => void;
}

interface OpenDraft {
  readonly slot: HeldSlot;
  readonly stopWaiting: () => void;
}

/** Prepared drafts of a window. At most one is open across all windows of the computer; there is no queue, and each expires. */
export class PreparedDrafts {
  readonly #options: PreparedDraftsOptions;
  #open: OpenDraft | undefined;

  constructor(options: PreparedDraftsOptions) {
    this.#options = options;
  }

  /** Why no draft can be prepared now; undefined if one can. Throws if the disk fails. */
  get refusal(): DraftRefusal | undefined {
    const { timers, place } = this.#options;
    return this.#open ? "anotherIsOpen" : place.refusal(timers.now());
  }

  /**
   * Opens the ticket with the draft. Resolves to the draft's id, or to the reason the ticket was not opened. Rejects if the disk
   * fails; the ticket is then not opened.
   */
  async prepare(draft: Omit<PreparedDraft, "id">): Promise<{ readonly id: string } | DraftRefusal> {
    const { timers, newId, ticket, place } = this.#options;
    if (this.#open) return "anotherIsOpen";
    const slot = place.take(timers.now());
    if (typeof slot === "string") return slot;
    const id = newId();
    const opened = { slot, stopWaiting: timers.after(PREPARED_ORDER_MS, () => ticket.withdraw(id)) };
    this.#open = opened;
    let isShown = false;
    try {
      isShown = await ticket.open({ ...draft, id }, () => this.#end(opened, "free"));
    } finally {
      if (!isShown) this.#end(opened, "undo");
    }
    return isShown ? { id } : "ticketInUse";
  }

  dispose(): void {
    if (this.#open) this.#end(this.#open, "free");
  }

  #end(ended: OpenDraft, how: keyof HeldSlot): void {
    if (this.#open !== ended) return;
    this.#open = undefined;
    ended.stopWaiting();
    try {
      ended.slot[how]();
    } catch (error) {
      this.#options.warn(error);
    }
  }
}

export const refusalTexts: Readonly<Record<DraftRefusal, string>> = {
  anotherIsOpen: "Another prepared order waits for the user in the order ticket of this or another window.",
  tooSoon: "An order was prepared less than 10 seconds ago. Wait, and do not repeat the same order.",
  ticketInUse: "The user is using the order ticket. Ask the user, and try again later.",
};
