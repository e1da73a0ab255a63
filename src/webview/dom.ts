import { isEcho, type Echo } from "../protocol/echo.ts";
import { FramedMessages, type FramedMessagesOptions } from "./framedMessages.ts";

/** An element of the page's template. Throws if it is missing. */
export function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}`);
  return found;
}

/** Sets an element's text only if it differs, so that screen readers do not repeat it. */
export function setText(of: string | Element, content: string): void {
  const target = typeof of === "string" ? element(of, HTMLElement) : of;
  if (target.textContent !== content) target.textContent = content;
}

/** A new element with these properties. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}

/** Handles messages of the host; streamed ones once per animation frame. */
export function receiveInFrames<Message>(
  keyOf: FramedMessagesOptions<Message>["keyOf"],
  handle: FramedMessagesOptions<Message>["handle"],
): FramedMessages<Message> {
  const messages = new FramedMessages({ keyOf, handle, onFrame: (task) => requestAnimationFrame(task) });
  window.addEventListener("message", ({ data }: MessageEvent<Message>) => messages.receive(data));
  return messages;
}

/**
 * Returns every echo that the host requests. Call after the page's own listener is registered, so that its messages are
 * handled first.
 */
export function sendEchoes(post: (message: Echo) => void): void {
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (isEcho(data)) post(data);
  });
}

/**
 * Focuses an element, at once or when the page is focused. A page never takes focus from another part of the editor.
 */
export function focusInPage(target: HTMLElement): void {
  if (document.hasFocus()) target.focus();
  else window.addEventListener("focus", () => target.focus(), { once: true });
}

/**
 * Gives the focus back to the element that had it before a dialog or another part of the editor: a browser may forget which.
 * Returns a function that takes the focus from the editor for that element, or for `instead` if it is gone or disabled.
 */
export function restoreFocus(): (instead: HTMLElement) => void {
  let last: HTMLElement | undefined;
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement) last = target;
  });
  // Without scrolling: the page may get the focus by a click elsewhere in it.
  const focusLast = (): void => {
    if (document.activeElement === document.body) last?.focus({ preventScroll: true });
  };
  window.addEventListener("focus", focusLast);
  return (instead) => {
    window.focus();
    focusLast();
    if (document.activeElement === document.body) instead.focus({ preventScroll: true });
  };
}
