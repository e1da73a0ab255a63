import * as z from "zod/mini";

/** A point of the line, from 0 to 1 across the range and from its lowest to its highest value. */
export interface PlotPoint {
  readonly x: number;
  readonly y: number;
}

/** A table: its headings, and a text for each cell. The first cell of a row names it. */
export interface PageTable {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Through which assets each row is valued, to be shown below its name; "" if by one pair. */
  readonly paths?: readonly string[];
}

export const ranges = ["week", "month", "year", "all"] as const;
export type Range = (typeof ranges)[number];
export const periods = ["day", "month", "year"] as const;
export type Period = (typeof periods)[number];

const choicesSchema = z.object({ range: z.enum(ranges), period: z.enum(periods) });

/** What the user chose on the page, with which it is restored after the editor reloads. */
export type PortfolioChoices = z.infer<typeof choicesSchema>;

/** Parses the state that the editor stored for the page; undefined if invalid. */
export function readPortfolioChoices(state: unknown): PortfolioChoices | undefined {
  return choicesSchema.safeParse(state).data;
}

/** Everything that the page shows, as text: the host formats figures and hides amounts. */
export interface PortfolioContent extends PortfolioChoices {
  /** The total with its asset. */
  readonly total: string;
  /** What the total leaves out; "" for nothing. */
  readonly note: string;
  readonly figures: readonly { readonly name: string; readonly value: string }[];
  /** The recorded values in the range: the line breaks between two parts. */
  readonly line: readonly (readonly PlotPoint[])[];
  /** What the line shows, for screen readers, or why there is none. */
  readonly lineText: string;
  /** The highest and the lowest value, the first and the last time; undefined without a line. */
  readonly scale:
    | { readonly high: string; readonly low: string; readonly from: string; readonly to: string }
    | undefined;
  /** What the line and the days leave out; "" for nothing. */
  readonly lineNote: string;
  readonly days: PageTable;
  /** Every account and the sum; no rows without other accounts. */
  readonly accounts: PageTable;
  /** Each row with its share of the total, from 0 to 1; undefined without a value. */
  readonly assets: PageTable & { readonly shares: readonly (number | undefined)[] };
  readonly movers: PageTable;
  readonly results: PageTable;
  /** What the results leave out; "" for nothing. */
  readonly resultsNote: string;
}

export type ToPortfolioPage = { readonly type: "content"; readonly content: PortfolioContent };

const fromPageSchema = z.discriminatedUnion("type", [
  /** The page is loaded and waits for its content. */
  z.strictObject({ type: z.literal("ready") }),
  z.strictObject({ type: z.literal("range"), range: z.enum(ranges) }),
  z.strictObject({ type: z.literal("period"), period: z.enum(periods) }),
  z.strictObject({ type: z.literal("addHolding") }),
  z.strictObject({ type: z.literal("exportValues") }),
]);

export type FromPortfolioPage = z.infer<typeof fromPageSchema>;

/** Parses a message of the page; undefined for anything else. */
export function readFromPortfolioPage(message: unknown): FromPortfolioPage | undefined {
  return fromPageSchema.safeParse(message).data;
}
