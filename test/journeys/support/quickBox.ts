import type { Locator, Page } from "playwright-core";
import { TRY_MS, until } from "./repeat.ts";

/** The parts of the workbench's window that are used here. */
interface KeyWindow {
  enterWasInBox?: boolean;
  addEventListener(
    type: "keydown",
    listener: (event: { readonly target: { closest?(selector: string): unknown } | null }) => void,
    options: { readonly capture: true; readonly once: true },
  ): void;
}

/** The editor's box for commands, picks and inputs. */
export function quickBox(page: Page): Locator {
  return page.locator(".quick-input-widget");
}

/** Chooses an entry of a box that keys open. A workbench still settling takes the focus from the box, which closes. */
export async function chooseEntry(
  page: Page,
  label: string,
  { prefix, keys }: { readonly prefix: string; readonly keys: readonly string[] },
): Promise<void> {
  const box = quickBox(page);
  const entry = box.locator(".monaco-list-row", { hasText: label }).first();
  const input = box.locator("input.input");
  await until(label, async () => {
    // A pick that opened late has a title, and is not this box.
    if (await box.locator(".quick-input-title").isVisible()) await page.keyboard.press("Escape");
    if (!(await input.isVisible())) for (const key of keys) await page.keyboard.press(key);
    await input.fill(prefix + label, { timeout: TRY_MS });
    await entry.waitFor({ timeout: TRY_MS });
    return await enterReachesBox(page);
  });
}

/**
 * Presses Enter. False if the box did not get the key: a page that the command before opened may take the focus at any
 * moment, which closes the box.
 */
async function enterReachesBox(page: Page): Promise<boolean> {
  const body = page.locator("body");
  await body.evaluate(({ ownerDocument }) => {
    const window = ownerDocument.defaultView as unknown as KeyWindow;
    window.enterWasInBox = false;
    const note = (event: Parameters<Parameters<KeyWindow["addEventListener"]>[1]>[0]): void => {
      window.enterWasInBox = Boolean(event.target?.closest?.(".quick-input-widget"));
    };
    window.addEventListener("keydown", note, { capture: true, once: true });
  });
  await page.keyboard.press("Enter");
  try {
    return await body.evaluate(
      ({ ownerDocument }) => (ownerDocument.defaultView as unknown as KeyWindow).enterWasInBox !== false,
    );
  } catch (error) {
    // A command that reloads the window takes the mark with it: so the box got the key.
    if (String(error).includes("Execution context was destroyed")) return true;
    throw error;
  }
}
