/**
 * What an error code concerns: the header prefix, the key, its secret, its permissions, the timestamp, or a temporary
 * problem of the exchange.
 */
export type Concern = "prefix" | "key" | "secret" | "permission" | "clock" | "passing";

/** Meaning and remedy of a documented error code, in English; translated for display. */
export interface ServiceCode {
  readonly meaning: string;
  readonly remedy: string;
  /** Undefined for codes about the order itself. */
  readonly about: Concern | undefined;
  /**
   * True if the code proves that the order was not accepted. 19 to 21, 23, 24, 90, S1000 and undocumented codes do not.
   */
  readonly provesRefusal: boolean;
}

const REPORT = "Report this to the developers of Bidside: the exchange could not read the request.";
const CHECK_KEY = "Check that the API key is valid, then set the API key and secret again.";
const CHECK_PREFIX = "Check the header prefix in the settings.";
const ACTIVATE_KEY = "Activate the API key in your account on the exchange, then try again.";
const ALLOW_ADDRESS =
  "On the exchange, add the IP address of this computer to the allowed addresses of the API key.";
const RAISE_LEVEL = "Raise the verification level of your account on the exchange.";
const CHECK_ACCOUNT = "Contact the exchange about your account.";
const GIVE_PERMISSION = "Grant the API key the required permission in your account on the exchange.";
const SET_SECRET = "Set the API key and secret again: the secret does not match the key.";
const SUBMIT_AGAIN = "The exchange's clock was checked again. Submit the order again.";
const LOWER_AMOUNT = "Lower the amount to the available balance.";
const TRY_AGAIN = "Try again in a moment.";
const WAIT = "Wait until the rate limit ends. Requests before then make the wait longer.";
const CHECK_HISTORY = "Check your orders and balance on the exchange before you order again.";

const CONCERNS: ReadonlyMap<string, Concern> = new Map<string, Concern>([
  [CHECK_PREFIX, "prefix"],
  [CHECK_KEY, "key"],
  [SET_SECRET, "secret"],
  [ACTIVATE_KEY, "permission"],
  [ALLOW_ADDRESS, "permission"],
  [GIVE_PERMISSION, "permission"],
  [SUBMIT_AGAIN, "clock"],
  [TRY_AGAIN, "passing"],
  [CHECK_HISTORY, "passing"],
]);

function refusal(meaning: string, remedy: string): ServiceCode {
  return { meaning, remedy, about: CONCERNS.get(remedy), provesRefusal: true };
}

function unproven(meaning: string, remedy: string): ServiceCode {
  return { meaning, remedy, about: CONCERNS.get(remedy), provesRefusal: false };
}

/** Codes of api.md 7, and codes observed at exchanges of this family. */
const CODES: ReadonlyMap<number | string, ServiceCode> = new Map<number | string, ServiceCode>([
  [1, refusal("Invalid JSON payload", REPORT)],
  [2, refusal("Missing API key header", CHECK_PREFIX)],
  [3, refusal("Invalid API key", CHECK_KEY)],
  [4, refusal("API key pending activation", ACTIVATE_KEY)],
  [5, refusal("IP address not allowed", ALLOW_ADDRESS)],
  [6, refusal("Missing or invalid signature", SET_SECRET)],
  [7, refusal("Missing timestamp", CHECK_PREFIX)],
  [8, refusal("Invalid timestamp", SUBMIT_AGAIN)],
  [9, refusal("Invalid user", CHECK_ACCOUNT)],
  [10, refusal("Invalid parameter", "Check the pair, the amount and the limit price.")],
  [11, refusal("Invalid symbol", "Choose another pair, or check the symbol order in the settings.")],
  [12, refusal("Invalid amount", "Correct the amount.")],
  [13, refusal("Invalid rate", "Correct the limit price.")],
  [
    14,
    refusal(
      "Improper rate",
      "Use a limit price closer to the last price, and a multiple of the pair's price step.",
    ),
  ],
  [15, refusal("Amount too low", "Raise the amount to the exchange's minimum.")],
  [16, refusal("Failed to get balance", TRY_AGAIN)],
  [17, refusal("Wallet is empty", "Deposit funds on the exchange first.")],
  [18, refusal("Insufficient balance", LOWER_AMOUNT)],
  [19, unproven("Failed to insert order", CHECK_HISTORY)],
  [20, unproven("Failed to deduct balance", CHECK_HISTORY)],
  [21, unproven("Invalid order for cancellation", CHECK_HISTORY)],
  [22, refusal("Invalid side", REPORT)],
  [23, unproven("Failed to update the order's status", CHECK_HISTORY)],
  [24, unproven("Invalid order for lookup", CHECK_HISTORY)],
  [25, refusal("Verification level too low", RAISE_LEVEL)],
  [30, refusal("Limit exceeded", WAIT)],
  [52, refusal("Invalid permission", GIVE_PERMISSION)],
  [
    55,
    refusal("Cancel-only mode", "The exchange does not accept new orders at the moment. Try again later."),
  ],
  [56, refusal("Buying suspended for this user", CHECK_ACCOUNT)],
  [57, refusal("Selling suspended for this user", CHECK_ACCOUNT)],
  [61, refusal("Pair not supported by this endpoint", "Choose another pair.")],
  [90, unproven("Server error", CHECK_HISTORY)],
  // Newest generation.
  ["A1000", refusal("Unauthorized", CHECK_KEY)],
  ["A1001", refusal("Invalid permission", GIVE_PERMISSION)],
  ["V1003", refusal("Missing or invalid signature", SET_SECRET)],
  ["V1004", refusal("Signature expired", SUBMIT_AGAIN)],
  ["B1003", refusal("Insufficient balance", LOWER_AMOUNT)],
  ["S1000", unproven("Server error", CHECK_HISTORY)],
]);

/** For HTTP 429. */
export const tooManyRequests = refusal("Too many requests", WAIT);

const CODE_FORM = /^-?[A-Z]{0,3}\d{1,6}(?:-[A-Z]{1,4})?$/i;

/** Whether text looks like a known code, which is too short to be a key: `V1007-CW`, `A1000`, `-18`. */
export function hasCodeForm(text: string): boolean {
  return CODE_FORM.test(text);
}

/** Looks up a code as the exchange wrote it; undefined if undocumented. */
export function serviceCode(code: number | string): ServiceCode | undefined {
  return CODES.get(code);
}

/** All sentences of the table, for the translation bundle. */
export function serviceCodeSentences(): string[] {
  return [
    ...new Set([...CODES.values(), tooManyRequests].flatMap(({ meaning, remedy }) => [meaning, remedy])),
  ];
}
