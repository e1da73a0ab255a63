/** Not valid JSON, but written by Python and others. */
const BARE = ["NaN", "Infinity"];
/** No field can have this value: it is no number, and ids and symbols have no spaces. */
const UNREADABLE = '"not a number"';
const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/**
 * Replaces bare `NaN`, `Infinity` and `-Infinity` in JSON text with an unreadable value, so that such a number invalidates
 * its entry instead of the whole response.
 */
export function withoutBareNumbers(text: string): string {
  if (!BARE.some((word) => text.includes(word))) return text;
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) === QUOTE) {
      for (at += 1; at < text.length && text.charCodeAt(at) !== QUOTE; at += 1)
        if (text.charCodeAt(at) === BACKSLASH) at += 1;
      continue;
    }
    const word = BARE.find((each) => text.startsWith(each, at));
    if (word === undefined) continue;
    parts.push(text.slice(copied, text[at - 1] === "-" ? at - 1 : at), UNREADABLE);
    at += word.length - 1;
    copied = at + 1;
  }
  return parts.join("") + text.slice(copied);
}
