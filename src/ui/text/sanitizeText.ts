/** Word joiner: it has no glyph and no width, and prevents a line break. */
const JOINER = "\u2060";
/** Between `$` and `(name)`, `]` and `(address)`, `:` and `//`, `www` and `.`, and before `@`. */
const MARKUP = /(?<=[$\]])(?=\()|(?<=:)(?=\/\/)|(?<=www)(?=\.)|(?=@)/gi;

/** Made at the first use: reading these classes of characters takes as long as a long file. */
let unprintable: RegExp | undefined;

/**
 * Foreign text on one line without markup for any surface of the editor: no links in tooltips, no `$(name)` icons in
 * picks, labels or the status bar, no `[text](address)` links in messages. The text looks the same. `appendText` must
 * escape the other Markdown.
 */
export function sanitizeText(text: string): string {
  unprintable ??= new RegExp(String.raw`[\p{C}\p{Zl}\p{Zp}]+`, "gu");
  return text.replace(/\s+/g, " ").replace(unprintable, "").replace(MARKUP, JOINER);
}
