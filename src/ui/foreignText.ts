/** Word joiner: no glyph, no gap, and no line ends there. */
const JOINER = "\u2060";
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** Between `$` and `(name)`, `]` and `(address)`, `:` and `//`, `www` and `.`, and before `@`. */
const MARKUP = /(?<=[$\]])(?=\()|(?<=:)(?=\/\/)|(?<=www)(?=\.)|(?=@)/gi;

/**
 * Foreign text on one line that no surface of the editor takes for markup: an address is no link in a tooltip, `$(name)`
 * no icon in a pick, a label or the status bar, `[text](address)` no link in a message. It reads as before. What
 * else Markdown knows is for `appendText` to escape.
 */
export function harmless(text: string): string {
  return text.replace(/\s+/g, " ").replace(UNPRINTABLE, "").replace(MARKUP, JOINER);
}
