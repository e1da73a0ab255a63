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
    "2fa above access account activated active address again allowed already amount announcement api apikey are ask " +
    "asks asset assets auth authenticated authentication authorization availability available awaiting bad balance " +
    "banned base below bid bids blocked body busy buy can cancel canceled cancellation cancelled cannot client clock " +
    "closed code coin configuration confirmation conflict contact content could country currency daily data date " +
    "decimals denied deposit deviation digits disabled does done duplicate duplicated early email empty enabled err " +
    "error exceed exceeded exceeds exist exists expired failed failure far fee field filled filter for forbidden " +
    "found frozen funds future gateway greater halted has header high identification identifier immediately in " +
    "inactive incorrect increment instructions insufficient internal invalid ip is json jurisdiction key kyc large " +
    "last late later less level limit limits lot low maintenance maker malformed margin market match matched max " +
    "maximum method min minimum minute missing mode must name negative network nonce not notification notional null " +
    "num of off offline on only open order orders otp out outside over pair param parameter parameters params parse " +
    "partial partially past pause paused payload pending per percent permission permissions phone place position " +
    "positive post precision price prohibited qty quantity quota quote range rate reach reached read recv region " +
    "registration reject rejected request requests require required requirements restricted restrictions result " +
    "review revoked risk same second secret self sell server service session side sign signature size skew small sms " +
    "status step stop stopped subscription successfully support supported suspended symbol synchronized system taker " +
    "terms than the throttled tick ticker time timeout timestamp to token too trade trades trading transactions " +
    "trigger try two type unable unauthenticated unauthorized unavailable under unexpected unknown unprocessable " +
    "unrecognized unsuccessful unsupported user value verification verified volume wait wallet was whitelist " +
    "whitelisted window withdraw withdrawal would wrong your zero"
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
/** What a reason and a figure are joined by: `code=18`, `min_notional:10.00`, `amount>=10THB`, `kyc_level_1`. */
const LABELLED = /^(?<label>.+?)(?:[-_:=#≤≥]|[<>]=?)(?<figure>[^-_:=#<>≤≥]+)$/u;
const MONTH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?$/i;
const DAY = /^(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?$/;
const YEAR = /^20\d\d$/;
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
  if (MOMENT.test(core) || SIGN.test(token) || isInDate(core, tokens, index)) return true;
  const isAlone = !isPiece(tokens[index - 1]) && !isPiece(tokens[index + 1]);
  if (isAlone && isLabelled(core)) return true;
  if (core.length >= SECRET_LENGTH || token.length - core.length > 3) return false;
  if (!isPiece(token)) return core === "" || WORD.test(core);
  return isAlone && (NUMBER.test(core) || core.length === 1);
}

/** Whether a token is the day or the year of a date such as `November 28, 2026`. */
function isInDate(core: string, tokens: readonly string[], index: number): boolean {
  const [month = "", day = ""] = tokens.slice(Math.max(0, index - 2), index);
  if (DAY.test(core)) return MONTH.test(tokens[index - 1] ?? "");
  return YEAR.test(core) && MONTH.test(month) && DAY.test(day.replace(EDGES, ""));
}

/** Whether a token is a reason joined to one short number. */
function isLabelled(core: string): boolean {
  const { label = "", figure = "" } = LABELLED.exec(core)?.groups ?? {};
  return figure.length < SECRET_LENGTH && NUMBER.test(figure) && isReason(label);
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
