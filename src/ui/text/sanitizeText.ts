/** Word joiner: an invisible character of zero width, which prevents line breaks. */
const JOINER = "\u2060";
/** Between `$` and `(name)`, `]` and `(address)`, `:` and `//`, `www` and `.`, and before `@`. */
const MARKUP = /(?<=[$\]])(?=\()|(?<=:)(?=\/\/)|(?<=www)(?=\.)|(?=@)/gi;

/** Created lazily: compiling these character classes takes as long as loading a large file. */
let unprintable: RegExp | undefined;

/**
 * Untrusted text on one line, safe in every part of the editor: no links in tooltips, no `$(name)` icons in picks,
 * labels or the status bar, no `[text](address)` links in messages. It looks unchanged. Other Markdown must be escaped
 * by `appendText`.
 */
export function sanitizeText(text: string): string {
  unprintable ??= new RegExp(String.raw`[\p{C}\p{Zl}\p{Zp}]+`, "gu");
  return text.replace(/\s+/g, " ").replace(unprintable, "").replace(MARKUP, JOINER);
}
