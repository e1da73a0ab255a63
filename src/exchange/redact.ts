const MAX_LENGTH = 200;
/** A megabyte of text must not cost time. This is far more than the shown text. */
const MAX_READ = 16 * 1024;
/**
 * Control, format (bidi, zero-width), surrogate and private-use characters, and line or paragraph separators: none
 * belongs in one line of text.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** The replacement for omitted text. */
export const MASK = "[…]";
/** A token of this many characters may be a key. */
const SECRET_LENGTH = 12;
const PART = String.raw`(?:\p{Lu}+|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+)`;
/** One word, or several joined words: `pending`, `API-key`, `THB_BTC`. */
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

/** A word of Cyrillic or Greek letters, which keys do not have. No shorter secret than this is in use. */
const CASED_WORD = /^(?=[\p{scx=Cyrillic}\p{scx=Greek}]{1,15}$)\p{Lu}?\p{Ll}+$/u;
/** Letters of scripts without capitals, most of which have no spaces between words, and their punctuation. */
const UNCASED = /[\p{Lo}\p{Lm}\p{M}、。，．！？：；・「」『』（）…]+/gu;
/** What a sentence in such a script has within it: a word or a number of Latin letters and digits, a sign. */
const WITHIN = /^[("'[{<]*(?:[A-Za-z]{1,11}|\d{1,9}(?:[.,]\d{1,9})*%?|[-/])?[)"'\]}>.,;:!?]*$/;
const MOST_WITHIN = 2;
const THAI_CONSONANTS = /[ก-ฮ]/gu;

/**
 * Foreign text for an error or a log: one line of at most 200 characters. Words and short numbers stay, every other
 * token is masked. A key, a secret or a signature is never a word, in any encoding, so this function does not need to
 * know them. The result is still foreign text: escape it where it is shown.
 */
export function redact(text: string): string {
  const tokens = text.slice(0, MAX_READ).replace(/\s+/g, " ").replace(UNPRINTABLE, "").trim().split(" ");
  // The last token may be the harmless beginning of a longer one.
  if (text.length > MAX_READ) tokens.pop();
  const shown = tokens.map((token, index) => (isPlain(token, tokens, index) ? token : MASK));
  const line = shown.filter((token, index) => token !== MASK || shown[index - 1] !== MASK).join(" ");
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}

/** Whether a token is a word, or a single short number or character. Several of these in a row may be a hex dump. */
function isPlain(token: string, tokens: readonly string[], index: number): boolean {
  const core = token.replace(EDGES, "");
  if (LONG_WORDS.has(core.toLowerCase()) || CASED_WORD.test(core) || isSentence(token)) return true;
  if (core.length >= SECRET_LENGTH || token.length - core.length > 3) return false;
  if (!isPiece(token)) return core === "" || WORD.test(core);
  const isAlone = !isPiece(tokens[index - 1]) && !isPiece(tokens[index + 1]);
  return isAlone && (NUMBER.test(core) || core.length === 1);
}

/**
 * Whether a token is text in a script without capitals, such as Thai, Chinese or Japanese. Random letters are not: they
 * lack the vowels of Thai, or are mixed with other characters.
 */
function isSentence(token: string): boolean {
  const letters = token.match(UNCASED)?.join("") ?? "";
  const within = token.split(UNCASED).filter((part) => part !== "");
  const consonants = letters.match(THAI_CONSONANTS)?.length ?? 0;
  return (
    letters.length > 1 &&
    within.length <= MOST_WITHIN &&
    within.every((part) => WITHIN.test(part)) &&
    (letters.length < SECRET_LENGTH || consonants <= letters.length * (7 / 8))
  );
}

function isPiece(token = ""): boolean {
  return /\d/.test(token) || token.length === 1;
}
