import { errors, type JSHandle, type Locator } from "playwright-core";
import { waitFor } from "../../support/waitFor.ts";
import type { Workbench } from "./workbench.ts";

/** Tries of a person who sees each time that nothing was done. Rows are repainted every other second at most. */
const MAX_TRIES = 5;

/** After this time in ms without a click or a menu, the mouse follows the row again. */
const FOLLOW_MS = 2000;

/** The part of the workbench's document that is used here. */
interface ClickDocument {
  addEventListener(
    type: "click",
    listener: (event: { readonly target: { closest?(selector: string): unknown } | null }) => void,
    options: { readonly capture: true; readonly once: true },
  ): void;
}

/**
 * Clicks an action that a row of any view shows while the mouse is over it. A person follows a row that moves: a click that cannot
 * reach the action, because the row left the mouse, is not made. Where a tooltip covers the action, the browser's driver scrolls the
 * list, and the editor scrolls the list back. If that is between press and release, the click is lost, and is made again.
 */
export async function clickAction(row: Locator, title: string): Promise<void> {
  const action = row.locator(actionOf(title));
  await waitFor(`a click on ${title}`, async () => {
    await row.hover();
    if (!(await action.isVisible())) return false;
    return await unlessLate(async () => {
      const next = await nextClick(action, title);
      await action.click({ timeout: FOLLOW_MS });
      return await next.evaluate(({ isOnAction }) => isOnAction);
    });
  });
}

/** The result of what has a limit of its own; undefined at that limit. */
async function unlessLate<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof errors.TimeoutError) return undefined;
    throw error;
  }
}

function actionOf(title: string): string {
  return `.action-label[aria-label*="${title}"]`;
}

/** Notes whether the next click is on this action. */
function nextClick(action: Locator, title: string): Promise<JSHandle<{ isOnAction: boolean }>> {
  return action.evaluateHandle(
    ({ ownerDocument }, selector) => {
      const next = { isOnAction: false };
      (ownerDocument as unknown as ClickDocument).addEventListener(
        "click",
        ({ target }) => (next.isOnAction = Boolean(target?.closest?.(selector))),
        { capture: true, once: true },
      );
      return next;
    },
    actionOf(title),
    { timeout: FOLLOW_MS },
  );
}

/** Runs an action that a row of Markets shows while the mouse is over it, until `done` is on screen. */
export function rowAction(workbench: Workbench, symbol: string, title: string, done: Locator): Promise<void> {
  return untilDone(workbench, () => clickAction(workbench.row(symbol), title), done);
}

/** Expands a row. The editor undoes a click that expands a row while the whole view is drawn again, and a person clicks again. */
export async function expand(row: Locator): Promise<void> {
  const expanded = row.and(row.page().locator('[aria-expanded="true"]'));
  await waitFor("an expanded row", async () => {
    if ((await expanded.count()) > 0) return true;
    await row.click();
    return await unlessLate(() => expanded.waitFor({ timeout: FOLLOW_MS }).then(() => true));
  });
}

/** Makes a pair a favourite. */
export function star(workbench: Workbench, symbol: string): Promise<void> {
  const starred = workbench.row(symbol).filter({ hasText: "★" });
  return rowAction(workbench, symbol, "Add to Favourites", starred);
}

/** Chooses an entry of the menu of a row, until `done` is on screen. */
export function rowMenu(workbench: Workbench, row: Locator, entry: string, done: Locator): Promise<void> {
  const choose = async (): Promise<void> => {
    await openMenu(workbench, row, entry);
    await workbench.press("Enter");
  };
  return untilDone(workbench, choose, done);
}

/**
 * Opens the menu of a row, and moves to an entry. The editor gives a list that was painted the focus back. If the menu opens in that
 * moment, this closes the menu. The row may also be drawn at another place by then, and the menu of another row opens. A person
 * opens the menu again in both cases.
 */
export async function openMenu(workbench: Workbench, row: Locator, entry: string): Promise<void> {
  const item = workbench.page.locator(".context-view").getByText(entry, { exact: true });
  await waitFor(`${entry} in the menu of a row`, async () => {
    await row.click({ button: "right" });
    // The menu ignores a click right after it opens: the click might be the end of the opening click.
    const isOver = await unlessLate(() => item.hover({ timeout: FOLLOW_MS }).then(() => true));
    if (!isOver) await workbench.press("Escape");
    return isOver;
  });
}

/** The first move begins the drag, the second one enters the row, and the third one is over the row. */
const DRAG_MOVES = 3;

/**
 * Drags a row of Markets onto another one, and drops the row where the editor shows its place. The browser's driver can miss that a
 * drag began: no move reaches the editor then, until the mouse is pressed again. A row that is painted meanwhile shows no place.
 */
export async function dragRow(workbench: Workbench, symbol: string, onto: string): Promise<void> {
  const { mouse } = workbench.page;
  await waitFor(`the place on ${onto} for ${symbol}`, async () => {
    await workbench.row(symbol).hover();
    await mouse.down();
    for (let moves = 0; moves < DRAG_MOVES; moves += 1) await workbench.row(onto).hover();
    if ((await workbench.row(onto).getAttribute("class"))?.includes("drop-target")) return true;
    await workbench.press("Escape");
    await mouse.up();
    return false;
  });
  await mouse.up();
}

/** Acts on a row, and again as often as Bidside says that nothing was done, because the rows were being drawn again. */
async function untilDone(workbench: Workbench, act: () => Promise<void>, done: Locator): Promise<void> {
  const refusal = workbench.page.locator(".notification-toast", { hasText: "Nothing was done" });
  for (let acted = 0; acted < MAX_TRIES; acted += 1) {
    await act();
    await done.or(refusal).first().waitFor();
    if (!(await refusal.isVisible())) return;
    await workbench.command("Notifications: Clear All Notifications");
    await refusal.waitFor({ state: "hidden" });
  }
  throw new Error(`Bidside did nothing on a row ${MAX_TRIES} times.`);
}
