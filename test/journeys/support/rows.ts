import type { Locator } from "playwright-core";
import { isSo, type There, TRY_MS, until, untilShown } from "./repeat.ts";
import type { Workbench } from "./workbench.ts";

/**
 * Clicks an action that a row of any view shows while the mouse is over it, until `there` is on screen. Where a tooltip covers the
 * action, the browser's driver scrolls the list, and the editor scrolls it back; if that is between press and release, or if the row is
 * painted then, the click is lost. While rows are being drawn again, Bidside says that nothing was done.
 */
export function clickAction(workbench: Workbench, row: Locator, title: string, there: There): Promise<true> {
  const action = row.locator(`.action-label[aria-label*="${title}"]`);
  return onRow(workbench, title, there, async () => {
    await row.hover({ timeout: TRY_MS });
    await action.click({ timeout: TRY_MS });
  });
}

/** Makes a pair a favourite. */
export function star(workbench: Workbench, symbol: string): Promise<true> {
  const row = workbench.row(symbol);
  return rowMenu(workbench, row, "Add to Favourites", row.filter({ hasText: "★" }));
}

/** Chooses an entry of the menu of a row, until `there` is on screen. */
export function rowMenu(workbench: Workbench, row: Locator, entry: string, there: There): Promise<true> {
  return onRow(workbench, entry, there, async () => {
    await openMenu(workbench, row, entry);
    await workbench.press("Enter");
  });
}

/**
 * Opens the menu of a row, and moves to an entry. The editor gives a list that was painted the focus back, which closes the menu. The row
 * may also be drawn at another place by then, and the menu of another row opens.
 */
export async function openMenu(workbench: Workbench, row: Locator, entry: string): Promise<void> {
  const item = workbench.page.locator(".context-view").getByText(entry, { exact: true });
  await until("a row's menu", async () => {
    await workbench.press("Escape");
    await row.click({ button: "right", timeout: TRY_MS });
    // The menu ignores a click right after it opens: the click might be the end of the opening click.
    await item.hover({ timeout: TRY_MS });
    return true;
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
  await until("a row's drag", async () => {
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

/** Acts on a row until `there` is so. */
function onRow(workbench: Workbench, what: string, there: There, act: () => Promise<void>): Promise<true> {
  const refusal = workbench.page.locator(".notification-toast", { hasText: "Nothing was done" });
  const isDone = async (): Promise<boolean> => (await isSo(there)) || (await refusal.isVisible());
  return until(what, async () => {
    await untilShown(what, act, isDone);
    if (!(await refusal.isVisible())) return true;
    await workbench.command("Notifications: Clear All Notifications");
    return await isSo(there);
  });
}
