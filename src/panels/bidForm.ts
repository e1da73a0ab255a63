import * as z from "zod/mini";

/**
 * Messages between the extension host and the bid form. All numbers are decimal text; the host checks every message
 * again, and nothing the form says is sent without the native confirmation.
 */

const text = (longest: number) => z.string().check(z.maxLength(longest));

/** A draft exactly as typed. Its id is made with it and stays with it, wherever it is kept, until it is used up. */
const draftSchema = z.strictObject({
  id: z.uuid(),
  symbol: text(64),
  amount: text(80),
  rate: text(80),
});

const fromBidFormSchema = z.union([
  /** The page has loaded and can be told what to show; `symbol` is what it shows, "" at first. */
  z.strictObject({ type: z.literal("ready"), symbol: text(64) }),
  z.strictObject({ type: z.literal("select"), symbol: text(64) }),
  z.strictObject({ type: z.literal("submit"), draft: draftSchema }),
  /** The draft as typed so far: kept, so that closing the form loses nothing. */
  z.strictObject({ type: z.literal("edited"), draft: draftSchema }),
  z.strictObject({ type: z.literal("close") }),
  /** The person used the page, which the editor does not see; told now and then. */
  z.strictObject({ type: z.literal("input") }),
  z.strictObject({
    type: z.literal("action"),
    action: z.enum(["setCredentials", "showLog", "refresh", "switchVenue", "showOrders"]),
  }),
]);

export type FromBidForm = z.infer<typeof fromBidFormSchema>;

/** A message if it is one of the form's own; undefined for anything else. */
export function readFromBidForm(message: unknown): FromBidForm | undefined {
  const parsed = fromBidFormSchema.safeParse(message);
  return parsed.success ? parsed.data : undefined;
}

export type FormDraft = z.infer<typeof draftSchema>;

export type FormAction = Extract<FromBidForm, { type: "action" }>["action"];

/** A sentence for the person, with at most one thing to do about it. */
export interface FormNotice {
  readonly tone: "info" | "good" | "warning" | "bad";
  readonly text: string;
  readonly action?: { readonly id: FormAction; readonly title: string } | undefined;
}

export type FieldTexts = Partial<Record<"pair" | "amount" | "rate", string>>;

/** What the form needs of the chosen pair; prices and balances as decimal text, undefined while unknown. */
export interface FormQuote {
  readonly symbol: string;
  readonly quote: string;
  readonly base: string;
  readonly last: string | undefined;
  readonly bestBid: string | undefined;
  readonly bestAsk: string | undefined;
  /** Decimals that the pair's prices are shown with. */
  readonly places: number;
  readonly available: string | undefined;
  /** What is available is to be computed with, and not to be shown. */
  readonly hidden: boolean;
  /** Why the price or the balance is not to be relied on; "" when all is well. */
  readonly note: string;
}

export type ToBidForm =
  | {
      readonly type: "market";
      readonly venue: { readonly name: string; readonly live: boolean };
      readonly pairs: readonly { readonly symbol: string; readonly frozen: boolean }[];
      /** Why there are no pairs, where there are none. */
      readonly note: FormNotice | undefined;
    }
  | { readonly type: "quote"; readonly quote: FormQuote }
  /** How old the prices are, where they are old, else "": told again whenever it changes. */
  | { readonly type: "age"; readonly text: string }
  /** Fills in what is given and leaves the rest as typed. */
  | { readonly type: "prefill"; readonly draft: Partial<FormDraft> }
  /** `busy`: a bid is on its way; `done`: the draft has become an order; `ended`: the id of the draft that it used up. */
  | {
      readonly type: "outcome";
      readonly notice: FormNotice | undefined;
      readonly fields: FieldTexts;
      readonly busy: boolean;
      readonly done: boolean;
      readonly ended: string | undefined;
    }
  /** The service takes no bid for so long; 0: it takes them again. */
  | { readonly type: "wait"; readonly ms: number };

/** What the page is built with: rules for the live totals, and its strings. */
export interface BidFormSetup {
  readonly locale: string;
  readonly rules: {
    readonly minimumAmount: string;
    readonly feeShare: string;
    readonly quantityPlaces: number;
  };
  readonly strings: BidFormStrings;
}

interface BidFormStrings {
  readonly frozen: string;
  readonly unknownBalance: string;
  readonly hiddenAmount: string;
  readonly noTotals: string;
  readonly choosePair: string;
  /** With {0} for the seconds left: what is seen, and what a screen reader says when it begins and ends. */
  readonly wait: string;
  readonly waitBegins: string;
  readonly waitEnds: string;
}
