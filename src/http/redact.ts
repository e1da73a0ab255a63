const MAX_LENGTH = 200;
/** Longest text that is scanned, to bound the time. Far more than is shown. */
const MAX_READ = 16 * 1024;
/** Control, format (bidi, zero-width), surrogate and private-use characters, and line or paragraph separators. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** Replaces masked text. */
export const MASK = "[…]";
/** Tokens of this length or more may be a key. */
const SECRET_LENGTH = 12;
const PART = String.raw`(?:\p{Lu}+|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+)`;
/** One word or several joined words: `pending`, `API-key`, `THB_BTC`. */
const WORD = new RegExp(`^${PART}(?:[-_/'’.]${PART})*$`, "u");
/** Words that exchanges use: long ones, and those that they join to a reason such as `insufficient_balance`. */
const KNOWN_WORDS: ReadonlySet<string> = new Set(
  (
    "above access account activated active address again allowed already amount announcement api apikey are asset assets " +
    "authenticated authentication authorization availability available awaiting balance banned bad base below bid blocked " +
    "body buy bids ask asks can cancel canceled cancellation cancelled client closed coin code configuration confirmation " +
    "conflict contact content currency daily data date decimals denied deposit digits disabled does duplicate duplicated " +
    "empty enabled error exceed exceeded exceeds exist exists expired failed failure fee field filled for forbidden found " +
    "frozen funds greater halted has header high identification identifier in inactive increment incorrect instructions " +
    "insufficient internal invalid ip is jurisdiction json key kyc large last less level limit limits lot low maintenance " +
    "market max maximum method min minimum minute missing mode must name network nonce not notification notional null of " +
    "off offline on only open order orders out outside over pair param parameter parameters params parse payload pending " +
    "per permission permissions place post precision price prohibited qty quantity quota quote range rate reach reached " +
    "read registration reject rejected request requests require required requirements restricted restrictions result " +
    "revoked same second secret self sell server service session side sign signature size small status step stop stopped " +
    "subscription successfully support supported suspended symbol synchronized system than the throttled tick ticker time " +
    "timeout timestamp to token too trade trades trading transactions two type unauthenticated unauthorized unavailable " +
    "under unexpected unknown unprocessable unrecognized unsuccessful unsupported user value verification verified volume " +
    "wait wallet was whitelist window withdraw withdrawal wrong your zero"
  ).split(" "),
);
/** Longest reason of joined words. */
const REASON_LENGTH = 64;
const FIGURE = String.raw`\d+(?:[.,]\d+)*`;
/** With a sign, a currency's sign, or a unit in capitals or of time: `10`, `#3`, `฿10.00`, `≥10`, `10THB`, `30s`, `5%`. */
const NUMBER = new RegExp(
  `^(?:[<>]=?|[-+#≤≥≈±])?\\p{Sc}?${FIGURE}(?:%|\\p{Sc}|[A-Z]{2,5}|ms|s|sec|min|m|h|d|x|bps)?$`,
  "u",
);
/** Signs before or after a number, which no key contains. */
const SIGN = /^(?:[<>]=?|[≤≥≈±\p{Sc}])$/u;
const DATE = String.raw`(?:\d{4}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-/.](?:0?[1-9]|1[0-2])[-/.]\d{4})`;
const TIME = String.raw`(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:[ap]m|Z|[-+]\d\d:?\d\d)?`;
/** A date, a time, both, a range of times, or a time zone. */
const MOMENT = new RegExp(
  `^(?:${DATE}(?:T${TIME})?|${TIME}(?:[-–]${TIME})?|(?:UTC|GMT)[-+]\\d{1,2}(?::\\d\\d)?)$`,
  "i",
);
const EDGES = /^[("'«“‘[{<]+|[)"'»”’\]}>.,;:!?…]+$/gu;

/** A word in Cyrillic or Greek letters, which keys never contain. Shorter than any secret in use. */
const CASED_WORD = /^(?=[\p{scx=Cyrillic}\p{scx=Greek}]{1,15}$)\p{Lu}?\p{Ll}+$/u;
/** Letters of scripts without case, most of which do not separate words, and their punctuation. */
const UNCASED = /[\p{Lo}\p{Lm}\p{M}、。，．！？：；・「」『』（）…]+/gu;
/** What may occur inside a sentence of such a script: a Latin word, a number, punctuation. */
const WITHIN = /^[("'[{<]*(?:[A-Za-z]{1,11}|\d{1,9}(?:[.,]\d{1,9})*%?|[-/])?[)"'\]}>.,;:!?]*$/;
const MAX_LATIN_WORDS = 2;
const THAI_CONSONANTS = /[ก-ฮ]/gu;

/**
 * Redacts untrusted text for an error or log: one line of at most 200 characters, in which words and short numbers stay and
 * every other token is masked. A key, secret or signature is never a word in any encoding, so they need not be known here.
 * The result is still untrusted: escape before display.
 */
export function redact(text: string): string {
  const tokens = text.slice(0, MAX_READ).replace(/\s+/g, " ").replace(UNPRINTABLE, "").trim().split(" ");
  // The last token may be the harmless-looking start of a longer one.
  if (text.length > MAX_READ) tokens.pop();
  const shown = tokens.map((token, index) => (isPlain(token, tokens, index) ? token : MASK));
  const line = shown.filter((token, index) => token !== MASK || shown[index - 1] !== MASK).join(" ");
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}

/**
 * Whether a token is a word, words joined to a reason, a short number, a date or time, or a single character. Several short
 * numbers in a row may be a hex dump.
 */
function isPlain(token: string, tokens: readonly string[], index: number): boolean {
  const core = token.replace(EDGES, "");
  if (isReason(core) || CASED_WORD.test(core) || isSentence(token)) return true;
  if (MOMENT.test(core) || SIGN.test(token)) return true;
  if (core.length >= SECRET_LENGTH || token.length - core.length > 3) return false;
  if (!isPiece(token)) return core === "" || WORD.test(core);
  const isAlone = !isPiece(tokens[index - 1]) && !isPiece(tokens[index + 1]);
  return isAlone && (NUMBER.test(core) || core.length === 1);
}

/**
 * Whether a token is text in a caseless script such as Thai, Chinese or Japanese. Random letters are not: they lack Thai
 * vowels, or are mixed with other characters.
 */
function isSentence(token: string): boolean {
  const letters = token.match(UNCASED)?.join("") ?? "";
  const within = token.split(UNCASED).filter((part) => part !== "");
  const consonants = letters.match(THAI_CONSONANTS)?.length ?? 0;
  return (
    letters.length > 1 &&
    within.length <= MAX_LATIN_WORDS &&
    within.every((part) => WITHIN.test(part)) &&
    (letters.length < SECRET_LENGTH || consonants <= letters.length * (7 / 8))
  );
}

/** Whether a token consists of known words, in any case, joined by case or punctuation: `MIN_NOTIONAL`, `invalidSymbol`. */
function isReason(core: string): boolean {
  if (core.length > REASON_LENGTH) return false;
  const words = core.split(/[-_./:]|(?<=[a-z])(?=[A-Z])/);
  return words.every((word) => KNOWN_WORDS.has(word.toLowerCase()));
}

function isPiece(token = ""): boolean {
  if (MOMENT.test(token.replace(EDGES, ""))) return false;
  return /\d/.test(token) || (token.length === 1 && !SIGN.test(token));
}
