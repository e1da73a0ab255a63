import { element, setText } from "./dom.ts";
import { filled } from "./words.ts";

/** Shows the page's venue. Live is recognisable by shape and colour before reading. */
export function showVenue(
  { name, live }: { readonly name: string; readonly live: boolean },
  words: { readonly practice: string; readonly live: string },
): void {
  setText("venue", filled(live ? words.live : words.practice, name));
  element("venue", HTMLElement).hidden = name === "";
  document.body.classList.toggle("live", live);
}
