/** An element that the page's template has; a page without it is not ours. */
export function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}`);
  return found;
}

/** Sets an element's text where it differs: what stays the same is not read out again. */
export function setText(id: string, content: string): void {
  const target = element(id, HTMLElement);
  if (target.textContent !== content) target.textContent = content;
}
