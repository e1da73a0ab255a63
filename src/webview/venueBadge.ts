import { element, setText } from "./page.ts";
import { filled } from "./words.ts";

/** Says which venue a page is on. Live is recognised by shape and colour before a word is read. */
export function showVenue(
  { name, live }: { readonly name: string; readonly live: boolean },
  words: { readonly practice: string; readonly live: string },
): void {
  setText("venue", filled(live ? words.live : words.practice, name));
  element("venue", HTMLElement).hidden = name === "";
  document.body.classList.toggle("live", live);
}
