import { NoAnswerError, NotSentError, RefusedError, UnreadableAnswerError } from "../exchange/errors.ts";

/** The steps of setting up a live exchange, in their order. */
export const setupSteps = ["address", "prefix", "key", "secret", "test"] as const;

export type SetupStep = (typeof setupSteps)[number];

/** The place to fix a failed check: a step, the settings (the paths), or only another test. */
export type Mending = SetupStep | "settings";

/** A person's answers in the set-up of a live exchange that is not in use yet. No key and no secret. */
export interface SetupDraft {
  readonly baseUrl?: string;
  readonly headerPrefix?: string;
}

/** The state when the set-up is continued. */
export interface SetupState {
  /** Whether a usable address is given. */
  readonly hasAddress: boolean;
  readonly draft: SetupDraft;
  /** The stored credentials for that address: an API key without its secret (`key`), or both (`pair`). */
  readonly stored: "none" | "key" | "pair";
}

/** The step at which a set-up continues: the first incomplete one; the address if everything is in use. */
export function firstOpenStep({ hasAddress, draft, stored }: SetupState): SetupStep {
  const begun = draft.baseUrl !== undefined;
  if (!hasAddress) return "address";
  if (begun && draft.headerPrefix === undefined) return "prefix";
  if (stored === "key") return "secret";
  if (stored === "none") return begun ? "key" : "address";
  return begun ? "test" : "address";
}

/** Codes that a wrong header prefix causes: the service found no header of that name. */
const PREFIX_CODES: ReadonlySet<number | string> = new Set([2, 7]);
const KEY_CODES: ReadonlySet<number | string> = new Set([3, "A1000"]);
const SECRET_CODES: ReadonlySet<number | string> = new Set([6, "V1003"]);

/**
 * The place to fix the cause of a failed check. `someAnswered`: another check of the same test was answered, so
 * the address is right, and a wrong path is fixed in the settings.
 */
export function mendingOf(error: unknown, someAnswered: boolean): Mending {
  const place = someAnswered ? "settings" : "address";
  if (error instanceof NotSentError) {
    switch (error.reason) {
      case "unreachable":
      case "certificate":
      case "insecure":
        return "address";
      case "noCredentials":
      case "credentialsUnreadable":
      case "badCredentials":
      case "keyChanged":
        return "key";
      case "clockUnknown":
        return mendingOf(error.cause, someAnswered);
      case "blocked":
      case "notOffered":
      case "tooLate":
        return "test";
    }
  }
  if (error instanceof NoAnswerError) return someAnswered ? "test" : "address";
  if (error instanceof RefusedError) {
    if (error.contradictsItself || error.isRateBlock) return "test";
    if (PREFIX_CODES.has(error.code)) return "prefix";
    if (KEY_CODES.has(error.code)) return "key";
    return SECRET_CODES.has(error.code) ? "secret" : "test";
  }
  if (error instanceof UnreadableAnswerError) {
    if (error.reason === "httpStatus" && error.httpStatus >= 500) return "test";
    return error.reason === "contradictory" || error.reason === "tooLarge" ? "test" : place;
  }
  return "test";
}
