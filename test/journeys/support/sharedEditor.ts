import { pictureOfFailure } from "../../../tools/test/story.ts";
import { Workbench } from "./workbench.ts";

/** The editor that a story left to the next one. */
let left: Workbench | undefined;

/**
 * The editor that the story before left, or a fresh one: opening an editor costs as much as a whole story. It shows no tab. What the
 * stories before stored is still there.
 */
export async function takeEditor(): Promise<Workbench> {
  const workbench = left;
  if (!workbench) return await Workbench.open();
  await workbench.command("Notifications: Clear All Notifications");
  await workbench.command("View: Close All Editors");
  await unfold(workbench, "Orders");
  for (const view of ["Alerts", "Wallet"]) await unfold(workbench, view, false);
  return workbench;
}

/** The same with a new practice account, if the story before was on the practice exchange. */
export async function takePractice(): Promise<Workbench> {
  const workbench = await takeEditor();
  if (workbench !== left) return workbench;
  await workbench.command("Bidside: Reset Practice Account");
  await workbench.answerModal("Reset Practice Account");
  await workbench.balance.filter({ hasText: "Practice 1,000,000.00 THB" }).waitFor();
  return workbench;
}

/** Leaves the editor to the next story, and closes it after a failed story. */
export async function leaveEditor(workbench: Workbench | undefined): Promise<void> {
  if (pictureOfFailure() === undefined) left = workbench;
  else await closeAll(workbench);
}

/** Opens or closes a view of the sidebar. */
export async function unfold(workbench: Workbench, view: string, isOpen = true): Promise<void> {
  const header = workbench.header(view);
  if ((await header.getAttribute("aria-expanded")) !== String(isOpen)) await header.click();
}

async function closeAll(workbench: Workbench | undefined): Promise<void> {
  const all = new Set([workbench, left]);
  left = undefined;
  for (const each of all) await each?.close();
}

after(() => closeAll(undefined));
