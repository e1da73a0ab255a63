import type { Preparer } from "../desk/orders/orderPlacer.ts";
import type { Side } from "../market/order.ts";
import type { Timers } from "../desk/time/timers.ts";
import type { PlaceRefusal, PreparedPlace, TakenPlace } from "./preparedPlace.ts";

/** An order that somebody else than the person filled in. Amount and rate may be "": the person types them. */
export interface PreparedDraft {
  readonly id: string;
  readonly by: Preparer;
  readonly side: Side;
  readonly symbol: string;
  readonly amount: string;
  readonly rate: string;
  readonly postOnly: boolean;
}

/** The order ticket of a window, as far as a prepared draft needs it. */
export interface PreparedTicket {
  /**
   * Shows the draft in the one ticket, without taking the focus. False if the ticket has other figures or its order is
   * being confirmed or sent: then nothing changes. `gone` is called once, when the draft is no longer in the ticket.
   */
  open(draft: PreparedDraft, gone: () => void): Promise<boolean>;
  /** Takes the draft out of the ticket, unless the person changed or submitted it. */
  withdraw(id: string): void;
}

/** A prepared draft that the person leaves alone goes after this time. */
export const KEPT_MS = 120_000;

/** Why no draft can be prepared now. */
export type Refusal = PlaceRefusal | "ticketInUse";

interface PreparedDraftsOptions {
  readonly timers: Timers;
  readonly newId: () => string;
  readonly ticket: PreparedTicket;
  readonly place: PreparedPlace;
  /** Told of a disk that fails when a draft is gone. */
  readonly warn: (error: unknown) => void;
}

interface OpenDraft {
  readonly taken: TakenPlace;
  readonly stopWaiting: () => void;
}

/**
 * Prepared drafts of a window. Among all windows of the computer at most one is open; nothing waits for its turn, and
 * none stays for long.
 */
export class PreparedDrafts {
  readonly #options: PreparedDraftsOptions;
  #open: OpenDraft | undefined;

  constructor(options: PreparedDraftsOptions) {
    this.#options = options;
  }

  /** Why no draft can be prepared at this moment; undefined if one can. Throws if the disk fails. */
  get refusal(): Refusal | undefined {
    const { timers, place } = this.#options;
    return this.#open ? "anotherIsOpen" : place.refusal(timers.now());
  }

  /**
   * Opens the ticket with the draft. Returns the draft's id, or why the ticket was not opened. Rejects if the disk fails:
   * then the ticket was not opened.
   */
  async prepare(draft: Omit<PreparedDraft, "id">): Promise<{ readonly id: string } | Refusal> {
    const { timers, newId, ticket, place } = this.#options;
    if (this.#open) return "anotherIsOpen";
    const taken = place.take(timers.now());
    if (typeof taken === "string") return taken;
    const id = newId();
    const opened = { taken, stopWaiting: timers.after(KEPT_MS, () => ticket.withdraw(id)) };
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

  #end(ended: OpenDraft, how: keyof TakenPlace): void {
    if (this.#open !== ended) return;
    this.#open = undefined;
    ended.stopWaiting();
    try {
      ended.taken[how]();
    } catch (error) {
      this.#options.warn(error);
    }
  }
}

/** A refusal in words for a model or a person. */
export const refusalTexts: Readonly<Record<Refusal, string>> = {
  anotherIsOpen: "Another prepared order waits for the person in the order ticket of this or another window.",
  tooSoon: "An order was prepared less than 10 seconds ago. Wait, and do not repeat the same order.",
  ticketInUse: "The person is using the order ticket. Ask the person, and try again later.",
};
