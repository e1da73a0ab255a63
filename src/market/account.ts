/** An account of the user at an exchange. Keys, records, drafts, alerts and windows belong to it. */
export interface Account {
  /** 16 hex digits, or `practice`. Never shown, and never changes. */
  readonly id: string;
  /** The user's name for it, unique. */
  readonly label: string;
  readonly kind: "practice" | "live";
}

/** The account at the built-in exchange, which always exists. */
export const practiceAccount: Account = { id: "practice", label: "Practice", kind: "practice" };
