import { ExchangeError, NoAnswerError, RefusedError } from "../exchange/errors.ts";
import { isSigned, meaningOf, rootOf, type Meaning } from "../exchange/meaning.ts";

/** The steps of setting up a live exchange, in their order. */
export const setupSteps = ["address", "prefix", "key", "secret", "test"] as const;

export type SetupStep = (typeof setupSteps)[number];

/** The place to fix a failed check: a step, the settings (the paths), the order of symbols, or only another test. */
export type Mending = SetupStep | "settings" | "symbolOrder";

/** A person's answers in the set-up of a live exchange that is not in use yet. No key and no secret. */
export interface SetupDraft {
  readonly baseUrl?: string;
  readonly headerPrefix?: string;
  readonly symbolOrder?: string;
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

const MENDINGS: Readonly<Record<Exclude<Meaning, "code">, Mending | "place">> = {
  // The network, or the address.
  unreachable: "address",
  hostNotFound: "address",
  connectionRefused: "address",
  handshake: "address",
  certificate: "address",
  insecure: "address",
  proxySignIn: "test",
  proxyRefused: "test",
  timeout: "address",
  connectionLost: "address",
  // The key.
  noCredentials: "key",
  credentialsUnreadable: "key",
  badCredentials: "key",
  keyChanged: "key",
  signInWanted: "key",
  // The address, or a path of an exchange that is there.
  wrongPath: "place",
  badRequest: "place",
  notJson: "place",
  shape: "place",
  redirect: "place",
  // The person cannot mend these in the set-up.
  forbidden: "test",
  challenge: "test",
  notInThisCountry: "test",
  maintenance: "test",
  unavailable: "test",
  outage: "test",
  rateLimit: "test",
  contradictory: "test",
  symbolOrder: "symbolOrder",
  tooLarge: "test",
  clockUnknown: "test",
  notOffered: "test",
  tooLate: "test",
  internal: "test",
};

/**
 * The place to fix the cause of a failed check. `someAnswered`: another check of the same test was answered, so
 * the address is right, and a wrong path is fixed in the settings.
 */
export function mendingOf(error: unknown, someAnswered: boolean): Mending {
  const root = rootOf(error);
  const meaning = meaningOf(root);
  if (meaning === "code") {
    const about = root instanceof RefusedError ? root.about : undefined;
    return about === "prefix" || about === "key" || about === "secret" ? about : "test";
  }
  if (root instanceof NoAnswerError && someAnswered) return "test";
  // Only an API has errors in JSON: its address is right.
  const isApi = someAnswered || root instanceof RefusedError;
  const isPublic = root instanceof ExchangeError && !isSigned(root.endpoint);
  const mending = meaning === "signInWanted" && isPublic ? "place" : MENDINGS[meaning];
  if (mending !== "place") return mending;
  return isApi ? "settings" : "address";
}
