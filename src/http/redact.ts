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
/** Longer words that exchanges use. */
const LONG_WORDS: ReadonlySet<string> = new Set(
  (
    "announcement authenticated authentication authorization availability cancellation configuration confirmation " +
    "identification instructions insufficient jurisdiction notification registration requirements restrictions " +
    "subscription successfully synchronized transactions unauthenticated unauthorized unprocessable unrecognized " +
    "unsuccessful verification"
  ).split(" "),
);
const NUMBER = /^[-+#]?\d+(?:[.,]\d+)*%?$/;
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

/** Whether a token is a word, a short number or a single character. Several short numbers in a row may be a hex dump. */
function isPlain(token: string, tokens: readonly string[], index: number): boolean {
  const core = token.replace(EDGES, "");
  if (LONG_WORDS.has(core.toLowerCase()) || CASED_WORD.test(core) || isSentence(token)) return true;
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

function isPiece(token = ""): boolean {
  return /\d/.test(token) || token.length === 1;
}
