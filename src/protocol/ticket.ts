import * as z from "zod/mini";
import type { Side } from "../market/order.ts";
import type { FormBook, FormTaking } from "./ticketBook.ts";

/**
 * Messages between the extension host and the order ticket. All numbers are decimal text. The host checks every
 * message again, and nothing from the ticket is sent without the native confirmation.
 */

const text = (longest: number) => z.string().check(z.maxLength(longest));

/**
 * A draft of one pair on one exchange, exactly as typed. Its id is created with it and stays the same
 * everywhere, until the draft is submitted and edited, or used up.
 */
const draftSchema = z.strictObject({
  id: z.uuid(),
  /** The exchange that the figures were typed for; "" if none is known. */
  exchange: text(300),
  side: z.enum(["buy", "sell"]),
  symbol: text(64),
  amount: text(80),
  rate: text(80),
  /** Somebody entered the rate. It is the last price of the time when the pair was chosen otherwise. */
  rateIsTyped: z.boolean(),
  quantity: text(80),
  /** Which of amount and quantity the person typed. The other one is computed. */
  leads: z.enum(["amount", "quantity"]),
  /** The order may only wait in the book. */
  postOnly: z.boolean(),
  /** The share of the available balance if the amount is one: "0.5"; "" if it was typed. */
  share: text(8),
  /** Where the figures come from, if the person did not type them. It stays when the person changes them. */
  preparedBy: z.optional(z.enum(["assistant", "link", "order"])),
});

const fromTicketSchema = z.union([
  /** The page has loaded and can receive messages; `symbol` is the shown pair, "" at first. */
  z.strictObject({ type: z.literal("ready"), symbol: text(64) }),
  /** Whether the ticket stays on its pair while the pair in front changes. At first it does not. */
  z.strictObject({ type: z.literal("lock"), locked: z.boolean() }),
  z.strictObject({ type: z.literal("select"), symbol: text(64) }),
  z.strictObject({ type: z.literal("submit"), draft: draftSchema }),
  /** A page that is new or restored: an earlier page submitted this draft and got no outcome. */
  z.strictObject({ type: z.literal("awaits"), draft: draftSchema }),
  /** The draft as typed so far. */
  z.strictObject({ type: z.literal("edited"), draft: draftSchema }),
  /** The person started something else: the outcome of the last order is no longer shown. */
  z.strictObject({ type: z.literal("dismissed") }),
  /** The person used the page, which the editor does not notice. Sent now and then. */
  z.strictObject({ type: z.literal("input") }),
  z.strictObject({
    type: z.literal("action"),
    action: z.enum(["setCredentials", "showLog", "refresh", "testConnection", "switchVenue", "showOrders"]),
  }),
]);

export type FromTicket = z.infer<typeof fromTicketSchema>;

/** A message if it is one of the ticket's own; undefined for anything else. */
export function readFromTicket(message: unknown): FromTicket | undefined {
  return fromTicketSchema.safeParse(message).data;
}

export type FormDraft = z.infer<typeof draftSchema>;

const stateSchema = z.object({ draft: z.object(draftSchema.shape) });

/** The draft in the state that the editor kept of a page; undefined if there is none that can be read. */
export function readTicketState(state: unknown): FormDraft | undefined {
  return stateSchema.safeParse(state).data?.draft;
}

export type FormAction = Extract<FromTicket, { type: "action" }>["action"];

/** A sentence for the person, with at most one thing to do about it. */
export interface FormNotice {
  readonly tone: "info" | "good" | "warning" | "bad";
  readonly text: string;
  readonly action?: { readonly id: FormAction; readonly title: string } | undefined;
}

export type FormField = "pair" | "amount" | "rate" | "quantity";

export type FieldTexts = Partial<Record<FormField, string>>;

/** A field's problem. `isFinal`: more typing cannot fix it, so it is told at once. */
export type FieldProblems = Partial<Record<FormField, { readonly text: string; readonly isFinal: boolean }>>;

/** A pair in the list to choose from. Price and change are texts as the Markets view shows them. */
export interface PairRow {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly last: string;
  readonly change: string;
  readonly frozen: boolean;
}

/** The ticket's data of the chosen pair. Prices and balances are decimal text, undefined if unknown. */
export interface FormQuote {
  readonly symbol: string;
  readonly quote: string;
  readonly base: string;
  readonly last: string | undefined;
  readonly bestBid: string | undefined;
  readonly bestAsk: string | undefined;
  /** Decimals that the pair's prices are shown with. */
  readonly places: number;
  /** Of the quote asset, for a bid. */
  readonly available: string | undefined;
  /** Of the base asset, for an ask. */
  readonly availableBase: string | undefined;
  /** The available balance is used in computations but not shown. */
  readonly hidden: boolean;
  /** Why the price or the balance is unreliable; "" if both are fine. */
  readonly note: string;
  readonly limits: FormLimits;
}

/** The rules of orders for the chosen pair: of its exchange if it states some, else the usual ones. */
export interface FormLimits {
  /** Decimals of the base asset. */
  readonly quantityPlaces: number;
  /** Decimals of an amount in quote. Undefined: not known. */
  readonly amountPlaces?: number | undefined;
  /** Decimal text, quote per one base: each rate is a multiple of it. Undefined: not known. */
  readonly rateStep: string | undefined;
  /** The line that names the limits and whose they are, and its tooltip. */
  readonly text: string;
  readonly tooltip: string;
}

/** Figures to fill in. A missing one stays as typed for the pair, or takes the last price of a new pair. */
export interface TicketFill {
  readonly side?: Side;
  readonly symbol?: string;
  readonly amount?: string;
  readonly rate?: string;
  readonly postOnly?: boolean;
  /** Who filled in the figures, if it was not the person. */
  readonly preparedBy?: FormDraft["preparedBy"];
}

export type ToTicket =
  | {
      readonly type: "market";
      /** `key` names the exchange; "" while none is open. `name` is shown. */
      readonly exchange: {
        readonly key: string;
        readonly name: string;
        readonly live: boolean;
        readonly offersAsks: boolean;
        readonly offersPostOnly: boolean;
        readonly offersBook: boolean;
      };
      readonly pairs: readonly PairRow[];
      /** Why there are no pairs, if there are none. */
      readonly note: FormNotice | undefined;
    }
  | { readonly type: "quote"; readonly quote: FormQuote }
  /** The age of old prices, else "". Sent again whenever it changes. */
  | { readonly type: "age"; readonly text: string }
  | { readonly type: "fill"; readonly fill: TicketFill }
  /** The pair in front changed, and the ticket follows it. The focus stays where it is. */
  | { readonly type: "follow"; readonly symbol: string }
  /** A draft that somebody else prepared is removed. */
  | { readonly type: "withdraw" }
  /** The problems of this draft only, and what it takes from the order book if that is known. */
  | {
      readonly type: "problems";
      readonly draft: FormDraft;
      readonly problems: FieldProblems;
      readonly taking?: FormTaking | undefined;
    }
  /** The whole book, which replaces the one before. */
  | { readonly type: "book"; readonly book: FormBook }
  /** `busy`: an order is being sent. `done`: the draft has become an order. `ended`: the id of the used-up draft. */
  | {
      readonly type: "outcome";
      readonly notice: FormNotice | undefined;
      readonly fields: FieldTexts;
      readonly busy: boolean;
      readonly done: boolean;
      readonly ended: string | undefined;
    }
  /** For how long the exchange accepts no order; 0: it accepts orders again. */
  | { readonly type: "wait"; readonly ms: number };

/** The data that the page is built with: the usual rules for the live totals, and its texts. */
export interface TicketSetup {
  readonly locale: string;
  /** Another one after each reload of the window, which ends the drafts of other pairs. */
  readonly sitting: string;
  readonly rules: {
    readonly minimumAmount: string;
    readonly feeShare: string;
    readonly quantityPlaces: number;
  };
  readonly strings: TicketStrings;
}

/** The texts of the ticket for one side. */
interface SideStrings {
  readonly heading: string;
  readonly amount: string;
  readonly quantity: string;
  readonly fee: string;
  readonly total: string;
  readonly placePractice: string;
  readonly placeLive: string;
}

/** Texts that the page fills in itself; `{0}` is replaced by a value. */
interface TicketStrings {
  readonly practice: string;
  readonly live: string;
  /** What differs between the sides: the heading, the labels and the button. */
  readonly sides: Readonly<Record<Side, SideStrings>>;
  /** Said by the heading of a ticket without sides. */
  readonly asksNotOffered: string;
  /** Said while the figures are not the person's own. */
  readonly preparedBy: Readonly<Record<NonNullable<FormDraft["preparedBy"]>, string>>;
  readonly choosePair: string;
  readonly frozen: string;
  readonly pairsFound: string;
  readonly unknownBalance: string;
  readonly hiddenAmount: string;
  readonly hiddenSpoken: string;
  readonly shareOfAvailable: string;
  readonly noTotals: string;
  /** A rounded amount. */
  readonly about: string;
  readonly atLast: string;
  readonly aboveLast: string;
  readonly belowLast: string;
  /** The visible text, and what a screen reader says when the wait begins and ends. */
  readonly wait: string;
  readonly waitBegins: string;
  readonly waitEnds: string;
  readonly book: BookStrings;
}

/** Texts of the order book. */
export interface BookStrings {
  readonly asks: string;
  readonly bids: string;
  readonly noAsks: string;
  readonly noBids: string;
  /** `{0}`: the spread in quote, `{1}`: in percent. */
  readonly spread: string;
  readonly noSpread: string;
  readonly yourOrder: string;
  /** What a screen reader says of a level: `{0}` price, `{1}` quote asset, `{2}` size, `{3}` base asset. */
  readonly askSpoken: string;
  readonly bidSpoken: string;
  /** Said when a level was chosen: `{0}` is the rate. */
  readonly rateTaken: string;
  readonly noTrades: string;
  /** What a screen reader says of a trade: `{0}` time, `{1}` size and asset, `{2}` rate. */
  readonly boughtSpoken: string;
  readonly soldSpoken: string;
}
