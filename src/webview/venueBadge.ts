import { element, make } from "./dom.ts";

/** Shows the page's venue. Live is recognisable by shape and colour before reading. */
export function showVenue(
  { name, live }: { readonly name: string; readonly live: boolean },
  words: { readonly practice: string; readonly live: string },
): void {
  const [word, detail] = live ? [words.live, name] : [name, words.practice];
  const badge = element("venue", HTMLElement);
  badge.title = `${word} · ${detail}`;
  badge.hidden = name === "";
  document.body.classList.toggle("live", live);
  if (badge.textContent === badge.title) return;
  badge.replaceChildren(word, make("span", { className: "detail", textContent: ` · ${detail}` }));
}
