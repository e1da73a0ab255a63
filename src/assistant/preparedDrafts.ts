import type { Preparer } from "../desk/orders/orderPlacer.ts";
import type { Side } from "../market/order.ts";
import type { Timers } from "../desk/time/timers.ts";

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
   * being confirmed or sent: then nothing changes.
   */
  open(draft: PreparedDraft): Promise<boolean>;
  /** Takes the draft out of the ticket, unless the person changed or submitted it. */
  withdraw(id: string): void;
  /** Whether the draft is still in the ticket, changed or not. */
  holds(id: string): boolean;
}

/** Time from one prepared draft to the next. */
export const APART_MS = 10_000;
/** A prepared draft that the person leaves alone goes after this time. */
export const KEPT_MS = 120_000;

/** Why no draft can be prepared now. */
export type Refusal = "anotherIsOpen" | "tooSoon" | "ticketInUse";

interface PreparedDraftsOptions {
  readonly timers: Timers;
  readonly newId: () => string;
  readonly ticket: PreparedTicket;
}

/** Prepared drafts of a window: at most one is open, nothing waits for its turn, and none stays for long. */
export class PreparedDrafts {
  readonly #options: PreparedDraftsOptions;
  #open: { readonly id: string; readonly stopWaiting: () => void } | undefined;
  #openedAt = Number.NEGATIVE_INFINITY;
  #isOpening = false;

  constructor(options: PreparedDraftsOptions) {
    this.#options = options;
  }

  /** Why no draft can be prepared at this moment; undefined if one can. */
  get refusal(): Refusal | undefined {
    const { timers, ticket } = this.#options;
    if (this.#isOpening) return "anotherIsOpen";
    if (this.#open && ticket.holds(this.#open.id)) return "anotherIsOpen";
    const ms = timers.now() - this.#openedAt;
    // A clock that was set back must not make the wait longer.
    return ms >= 0 && ms < APART_MS ? "tooSoon" : undefined;
  }

  /** Opens the ticket with the draft. Returns the draft's id, or why the ticket was not opened. */
  async prepare(draft: Omit<PreparedDraft, "id">): Promise<{ readonly id: string } | Refusal> {
    const { refusal } = this;
    if (refusal) return refusal;
    const { timers, newId, ticket } = this.#options;
    const id = newId();
    this.#isOpening = true;
    try {
      if (!(await ticket.open({ ...draft, id }))) return "ticketInUse";
    } finally {
      this.#isOpening = false;
    }
    this.#open?.stopWaiting();
    this.#openedAt = timers.now();
    this.#open = { id, stopWaiting: timers.after(KEPT_MS, () => this.#end(id)) };
    return { id };
  }

  dispose(): void {
    this.#open?.stopWaiting();
  }

  #end(id: string): void {
    if (this.#open?.id !== id) return;
    this.#open = undefined;
    this.#options.ticket.withdraw(id);
  }
}

/** A refusal in words for a model or a person. */
export const refusalTexts: Readonly<Record<Refusal, string>> = {
  anotherIsOpen: "Another prepared order waits for the person in the order ticket.",
  tooSoon: "An order was prepared less than 10 seconds ago. Wait, and do not repeat the same order.",
  ticketInUse: "The person is using the order ticket. Ask the person, and try again later.",
};
