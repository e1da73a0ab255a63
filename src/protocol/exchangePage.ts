import * as z from "zod/mini";

/** A capability, and whether the exchange offers it. */
export interface OfferRow {
  readonly name: string;
  /** `untried`: only an order can show whether it works. */
  readonly state: "works" | "untried" | "off";
  /** How it works, or why it is off. */
  readonly text: string;
}

/** Result of a discovery, as text. Host names are untrusted: the page renders them as text. */
export interface ExchangeOffer {
  readonly title: string;
  readonly summary: string;
  readonly sections: readonly { readonly title: string; readonly rows: readonly OfferRow[] }[];
  /** Most helpful action first. */
  readonly actions: readonly { readonly id: OfferAction; readonly label: string }[];
}

const actionSchema = z.enum(["use", "change", "enterKey", "export"]);
/** `use`: save the settings and switch to the exchange. */
export type OfferAction = z.infer<typeof actionSchema>;

export type ToExchangePage = { readonly type: "offer"; readonly offer: ExchangeOffer };

/** Spoken names of row states, for screen readers. */
export interface ExchangePageSetup {
  readonly states: Readonly<Record<OfferRow["state"], string>>;
}

const fromPageSchema = z.discriminatedUnion("type", [
  /** The page is loaded and waits for its content. */
  z.strictObject({ type: z.literal("ready") }),
  z.strictObject({ type: z.literal("action"), id: actionSchema }),
]);

export type FromExchangePage = z.infer<typeof fromPageSchema>;

/** Parses a message of the page; undefined for anything else. */
export function readFromExchangePage(message: unknown): FromExchangePage | undefined {
  return fromPageSchema.safeParse(message).data;
}
