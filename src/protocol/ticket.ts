import * as z from "zod/mini";
import type { Side } from "../market/order.ts";
import type { FormBook, FormBookFill } from "./ticketBook.ts";

/**
 * Messages between the extension host and the order ticket. All numbers are decimal text. The host validates every message,
 * and no order is sent without the native confirmation dialog.
 */

const text = (longest: number) => z.string().check(z.maxLength(longest));

/**
 * A draft for one pair in one account, exactly as typed. It keeps its id until it is edited after submission, or ends.
 */
const draftSchema = z.strictObject({
  id: z.uuid(),
  /** The id of the account for which the figures were typed; "" before the page was told of one. */
  account: text(16),
  side: z.enum(["buy", "sell"]),
  symbol: text(64),
  amount: text(80),
  rate: text(80),
  /** Whether the rate was entered. Otherwise it is the last price at the time the pair was chosen. */
  rateIsTyped: z.boolean(),
  quantity: text(80),
  /** The field the user typed; the other one is computed. */
  sizedBy: z.enum(["amount", "quantity"]),
  /** Maker only. */
  postOnly: z.boolean(),
  /** Share of the available balance if the amount was chosen as one: "0.5"; "" if typed. */
  share: text(8),
  /** Who filled in the figures, if not the user. Kept when the user edits them. */
  preparedBy: z.optional(z.enum(["assistant", "link", "order"])),
});

const fromTicketSchema = z.union([
  /** The page is loaded and can receive messages; `symbol` is the shown pair, initially "". */
  z.strictObject({ type: z.literal("ready"), symbol: text(64) }),
  /** Whether the ticket keeps its pair when the active pair changes. Initially false. */
  z.strictObject({ type: z.literal("lock"), locked: z.boolean() }),
  z.strictObject({ type: z.literal("select"), symbol: text(64) }),
  z.strictObject({ type: z.literal("submit"), draft: draftSchema }),
  /** From a new or restored page: an earlier page submitted this draft and received no outcome. */
  z.strictObject({ type: z.literal("awaits"), draft: draftSchema }),
  z.strictObject({ type: z.literal("edited"), draft: draftSchema }),
  /** The user started something else, so the outcome of the last order is no longer shown. */
  z.strictObject({ type: z.literal("dismissed") }),
  /** The user interacted with the page, which the editor does not notice. Throttled. */
  z.strictObject({ type: z.literal("input") }),
  z.strictObject({
    type: z.literal("action"),
    action: z.enum([
      "setCredentials",
      "showLog",
      "refresh",
      "testConnection",
      "switchAccount",
      "showOrders",
      "dismissHint",
      // Of the order whose outcome is shown.
      "viewOrder",
      "orderAgain",
      "cancelOrder",
      "changeOrder",
    ]),
  }),
]);

export type FromTicket = z.infer<typeof fromTicketSchema>;

/** Parses a message of the ticket; undefined for anything else. */
export function readFromTicket(message: unknown): FromTicket | undefined {
  return fromTicketSchema.safeParse(message).data;
}

export type FormDraft = z.infer<typeof draftSchema>;

const stateSchema = z.object({ draft: z.object(draftSchema.shape) });

/** The draft in the state that the editor stored for a page; undefined if unreadable. */
export function readTicketState(state: unknown): FormDraft | undefined {
  return stateSchema.safeParse(state).data?.draft;
}

export type FormAction = Extract<FromTicket, { type: "action" }>["action"];

/** A message for the user, with at most two actions. */
export interface FormNotice {
  readonly tone: "info" | "good" | "warning" | "bad";
  readonly text: string;
  /** Shown in place of the text, which is then the tooltip and what screen readers read. */
  readonly line?: string | undefined;
  readonly actions?: readonly NoticeAction[] | undefined;
  /** Not about an order: it stays while the user fills in the ticket. */
  readonly isHint?: boolean;
}

export interface NoticeAction {
  readonly id: FormAction;
  readonly title: string;
  readonly tooltip?: string;
}

export type FormField = "pair" | "amount" | "rate" | "quantity";

export type FieldTexts = Partial<Record<FormField, string>>;

/** Validation error of a field. `isFinal`: more typing cannot fix it, so it is shown immediately. */
export type FieldProblems = Partial<Record<FormField, { readonly text: string; readonly isFinal: boolean }>>;

/** A row of the pair picker. Price and change are formatted as in the Markets view. */
export interface PairRow {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** The coin's name as its exchange writes it, for the search; undefined if unknown. */
  readonly name?: string | undefined;
  readonly last: string;
  readonly change: string;
  readonly frozen: boolean;
}

/** Data of the chosen pair. Prices and balances are decimal text; undefined if unknown. */
export interface FormQuote {
  readonly symbol: string;
  readonly quote: string;
  readonly base: string;
  readonly last: string | undefined;
  readonly bestBid: string | undefined;
  readonly bestAsk: string | undefined;
  /** Decimals with which the pair's prices are shown. */
  readonly places: number;
  /** Quote balance, for a bid. */
  readonly available: string | undefined;
  /** Base balance, for an ask. */
  readonly availableBase: string | undefined;
  /** The available balance is used in computations but not shown. */
  readonly hidden: boolean;
  /** Why the price or the balance is unreliable; "" if both are fine. */
  readonly note: string;
  readonly limits: FormLimits;
}

/** Order rules of the chosen pair: the exchange's if it states some, else the defaults. */
export interface FormLimits {
  /** The fee as a share of the amount, as decimal text. */
  readonly feeShare: string;
  /** Decimals of the base asset. */
  readonly quantityPlaces: number;
  /** Decimals of an amount in quote; undefined if unknown. */
  readonly amountPlaces?: number | undefined;
  /** Tick size as decimal text, quote per base; undefined if unknown. */
  readonly rateStep: string | undefined;
  /** The line that lists the limits and their source, and its tooltip. */
  readonly text: string;
  readonly tooltip: string;
}

/** Figures to fill in. A missing one stays as typed for the pair, or becomes the last price of a new pair. */
export interface TicketFill {
  readonly side?: Side;
  readonly symbol?: string;
  readonly amount?: string;
  readonly rate?: string;
  readonly postOnly?: boolean;
  /** Who filled in the figures, if not the user. */
  readonly preparedBy?: FormDraft["preparedBy"];
}

export type ToTicket =
  | {
      readonly type: "market";
      /**
       * `key` is the account's id. `name` is displayed; "" while no exchange is open.
       */
      readonly exchange: {
        readonly key: string;
        readonly name: string;
        readonly live: boolean;
        readonly offersAsks: boolean;
        readonly offersPostOnly: boolean;
        readonly offersBook: boolean;
      };
      /** Whether to swap the colours of buying and selling, as those of rising and falling prices. */
      readonly inverted: boolean;
      readonly pairs: readonly PairRow[];
      /** Why there are no pairs, if there are none. */
      readonly note: FormNotice | undefined;
    }
  | { readonly type: "quote"; readonly quote: FormQuote }
  /** Age of stale prices, else "". Sent whenever it changes. */
  | { readonly type: "age"; readonly text: string }
  | { readonly type: "fill"; readonly fill: TicketFill }
  /** The active pair changed, and the ticket follows it. The focus stays where it is. */
  | { readonly type: "follow"; readonly symbol: string }
  /** Remove a draft that someone else prepared. */
  | { readonly type: "withdraw" }
  /** Problems of exactly this draft, and its immediate fill in the order book if known. */
  | {
      readonly type: "problems";
      readonly draft: FormDraft;
      readonly problems: FieldProblems;
      readonly bookFill?: FormBookFill | undefined;
    }
  /** The whole book; replaces the previous one. */
  | { readonly type: "book"; readonly book: FormBook }
  /** `busy`: an order is being sent. `done`: the draft has become an order. `ended`: id of the draft that ended. */
  | {
      readonly type: "outcome";
      readonly notice: FormNotice | undefined;
      readonly fields: FieldTexts;
      readonly busy: boolean;
      readonly done: boolean;
      readonly ended: string | undefined;
    }
  /** How long the exchange accepts no orders; 0: it accepts them again. */
  | { readonly type: "wait"; readonly ms: number }
  /** Take the focus: the user has answered the confirmation, after which the editor may focus no element of the page. */
  | { readonly type: "focus" };

/** Data embedded in the page when it is built: default rules for the live totals, and texts. */
export interface TicketSetup {
  readonly locale: string;
  /** Changes with each reload of the window, which discards drafts of other pairs. */
  readonly sitting: string;
  readonly rules: {
    readonly minimumAmount: string;
    readonly feeShare: string;
    readonly quantityPlaces: number;
  };
  readonly strings: TicketStrings;
}

interface SideStrings {
  readonly heading: string;
  readonly amount: string;
  readonly quantity: string;
  readonly fee: string;
  readonly total: string;
  /** The button, and the button with known figures: `{0}` in base, `{1}` in quote. */
  readonly submit: string;
  readonly submitFigures: string;
}

/** Texts that the page sets itself. It replaces placeholders such as `{0}`. */
interface TicketStrings {
  readonly practice: string;
  readonly live: string;
  /** What differs by side: heading, labels and button. */
  readonly sides: Readonly<Record<Side, SideStrings>>;
  /** Heading of a ticket without sides. */
  readonly asksNotOffered: string;
  /** Shown while the figures are not the user's own. */
  readonly preparedBy: Readonly<Record<NonNullable<FormDraft["preparedBy"]>, string>>;
  readonly choosePair: string;
  readonly frozen: string;
  readonly pairsFound: string;
  /** Error of a search without a match: `{0}` is what was typed. */
  readonly pairNotFound: string;
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
  /** The visible text, and the screen reader announcements when the wait begins and ends. */
  readonly wait: string;
  readonly waitBegins: string;
  readonly waitEnds: string;
  readonly book: BookStrings;
}

export interface BookStrings {
  readonly asks: string;
  readonly bids: string;
  readonly noAsks: string;
  readonly noBids: string;
  /** `{0}`: spread in quote, `{1}`: in percent. */
  readonly spread: string;
  readonly noSpread: string;
  readonly yourOrder: string;
  /** Spoken text of a level: `{0}` price, `{1}` quote asset, `{2}` size, `{3}` base asset. */
  readonly askSpoken: string;
  readonly bidSpoken: string;
  /** Announced when a level was chosen: `{0}` is the rate. */
  readonly rateTaken: string;
  readonly noTrades: string;
  /** Spoken text of a trade: `{0}` time, `{1}` size and asset, `{2}` rate. */
  readonly boughtSpoken: string;
  readonly soldSpoken: string;
}
