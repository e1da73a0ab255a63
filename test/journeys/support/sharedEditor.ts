import type { Locator } from "playwright-core";
import { pictureOfFailure } from "../../../tools/test/story.ts";
import { accountAt } from "../../support/builders/account.ts";
import { keyAt } from "./live.ts";
import { reportRepeats } from "./repeat.ts";
import { type ResetOptions, Workbench } from "./workbench.ts";

type Settings = Readonly<Record<string, unknown>>;

/** The editor that a story left to the next one. */
let left: Workbench | undefined;

/**
 * An editor in which nothing was done: that of the story before, after a reset, or a new one, which costs as much as a whole story.
 * Of Bidside's views, Markets and Orders are open.
 */
export async function takeEditor(options: ResetOptions = {}): Promise<Workbench> {
  const workbench = (left ??= await Workbench.open());
  await workbench.reset(options);
  await workbench.showSidebar();
  await unfold(workbench, "Orders");
  for (const view of ["Alerts", "Wallet"]) await unfold(workbench, view, false);
  return workbench;
}

/** The same on the practice exchange, with its first prices. */
export async function takePractice(settings: Settings = {}): Promise<Workbench> {
  const workbench = await takeEditor({ settings });
  await workbench.balance.filter({ hasText: "Practice 1,000,000 THB" }).waitFor();
  await workbench.row("THB_BTC").waitFor();
  return workbench;
}

/** The same on an exchange that was set up earlier, with its key. */
export async function takeLive(
  baseUrl: string,
  { profile, settings = {} }: { readonly profile?: Settings; readonly settings?: Settings } = {},
): Promise<Workbench> {
  const workbench = await takeEditor({
    settings,
    accounts: [accountAt(baseUrl, profile)],
    secrets: keyAt(baseUrl),
  });
  await workbench.balance.filter({ hasText: "Live 1,000,000 THB" }).waitFor();
  await workbench.row("THB_BTC").waitFor();
  return workbench;
}

/** Leaves the editor to the next story, unless the story has failed. */
export async function leaveEditor(): Promise<void> {
  reportRepeats();
  if (pictureOfFailure() !== undefined) await closeEditor();
}

/** Closes the editor, which no other story can use. */
export async function closeEditor(): Promise<void> {
  const workbench = left;
  left = undefined;
  await workbench?.close();
}

/** Opens or closes a view of the sidebar. */
export async function unfold(workbench: Workbench, view: string, isOpen = true): Promise<void> {
  const header: Locator = workbench.header(view);
  if ((await header.getAttribute("aria-expanded")) !== String(isOpen)) await header.click();
}

after(() => closeEditor());
