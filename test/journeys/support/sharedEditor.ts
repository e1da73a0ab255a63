import { startProxiedPractice } from "../../support/servers/proxiedPractice.ts";
import { pictureOfFailure } from "../../../tools/test/story.ts";
import { type LiveTrader, livePair, openLive, setUpAt } from "./openLive.ts";
import { Workbench, type WorkbenchOptions } from "./workbench.ts";

/** The editor that a story left to the next one. */
let left: Workbench | undefined;
/** The settings that the stories so far requested. A fresh editor behind a failed story has the same settings as the one that it replaces. */
const settings: Record<string, unknown> = {};

/**
 * The editor that the story before left, or a fresh one with these options: opening an editor costs as much as a whole story. It
 * shows no tab. What the stories before stored is still there.
 */
export async function takeEditor(options: WorkbenchOptions = {}): Promise<Workbench> {
  const workbench = left;
  if (!workbench) return await Workbench.open("dark", withAll(options));
  await workbench.command("Notifications: Clear All Notifications");
  await workbench.command("View: Close All Editors");
  await workbench.page.locator(".tabs-container .tab").first().waitFor({ state: "detached" });
  await workbench.showSidebar();
  await unfold(workbench, "Orders");
  for (const view of ["Alerts", "Wallet"]) await unfold(workbench, view, false);
  return workbench;
}

/** The same on the practice exchange, with a new account if a story was before. */
export async function takePractice(options: WorkbenchOptions = {}): Promise<Workbench> {
  const workbench = await takeEditor(options);
  if (workbench !== left) return workbench;
  const practice = workbench.balance.filter({ hasText: "Practice" });
  if ((await practice.count()) === 0) {
    await workbench.command("Bidside: Switch Exchange");
    await workbench.pick("Practice");
    await practice.waitFor();
  }
  await workbench.command("Bidside: Reset Practice Account");
  await workbench.answerModal("Reset Practice Account");
  await workbench.balance.filter({ hasText: "Practice 1,000,000.00 THB" }).waitFor();
  return workbench;
}

/**
 * The same on a new test exchange, which the caller closes. It was set up earlier, as in a fresh editor: nothing is left of the
 * settings of the exchange before.
 */
export async function takeLive(options: WorkbenchOptions = {}): Promise<LiveTrader> {
  if (!left) return await openLive("dark", withAll(options));
  const workbench = await takeEditor();
  const exchange = await startProxiedPractice({ credentials: livePair, now: Date.now });
  const name = new URL(exchange.baseUrl).host;
  workbench.changeSettings((before) => ({
    ...Object.fromEntries(Object.entries(before).filter(([key]) => !key.startsWith("bidside.exchange."))),
    ...setUpAt(exchange.baseUrl),
    ...options.settings,
  }));
  await workbench.reloadEmpty();
  await workbench.enterKey(exchange.baseUrl, livePair);
  await workbench.balance.filter({ hasText: `${name} 1,000,000.00 THB` }).waitFor();
  return { workbench, exchange, name };
}

/** Leaves the editor to the next story, and closes it after a failed story. */
export async function leaveEditor(workbench: Workbench | undefined): Promise<void> {
  if (pictureOfFailure() === undefined) left = workbench;
  else await closeAll(workbench);
}

function withAll(options: WorkbenchOptions): WorkbenchOptions {
  return { ...options, settings: Object.assign(settings, options.settings) };
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
