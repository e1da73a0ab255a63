import { isEcho, type Echo } from "../panels/echo.ts";

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

/** Sends every echo that the host asks for back. The page's own messages are handled before it: call this after it listens. */
export function sendEchoes(post: (message: Echo) => void): void {
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (isEcho(data)) post(data);
  });
}

/** Gives an element the focus, at once or when the page has it: a page takes it from no other part of the editor. */
export function focusInPage(target: HTMLElement): void {
  if (document.hasFocus()) target.focus();
  else window.addEventListener("focus", () => target.focus(), { once: true });
}
