import * as z from "zod/mini";

/** One thing that an exchange may offer, and whether it does. */
export interface OfferRow {
  readonly name: string;
  /** `untried`: only an order can show whether it works. */
  readonly state: "works" | "untried" | "off";
  /** How it works, or why it is off. */
  readonly text: string;
}

/** What a discovery found at an exchange, in words. Names of hosts are foreign text: the page sets them as text. */
export interface ExchangeOffer {
  readonly title: string;
  readonly summary: string;
  readonly sections: readonly { readonly title: string; readonly rows: readonly OfferRow[] }[];
  /** The most helpful action first. */
  readonly actions: readonly { readonly id: OfferAction; readonly label: string }[];
}

const actionSchema = z.enum(["use", "change", "enterKey", "export"]);
/** `use`: save the settings and switch to the exchange. */
export type OfferAction = z.infer<typeof actionSchema>;

export type ToExchangePage = { readonly type: "offer"; readonly offer: ExchangeOffer };

/** The page's words for the states of a row, for readers who cannot see its icon. */
export interface ExchangePageSetup {
  readonly states: Readonly<Record<OfferRow["state"], string>>;
}

const fromPageSchema = z.discriminatedUnion("type", [
  /** The page has loaded and waits for its content. */
  z.strictObject({ type: z.literal("ready") }),
  z.strictObject({ type: z.literal("action"), id: actionSchema }),
]);

export type FromExchangePage = z.infer<typeof fromPageSchema>;

/** A message if it is one of the page's own; undefined for anything else. */
export function readFromExchangePage(message: unknown): FromExchangePage | undefined {
  return fromPageSchema.safeParse(message).data;
}
