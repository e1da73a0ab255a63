import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, FrameLocator, Locator, Page } from "playwright-core";
import { openBrowser } from "../../support/editor/openBrowser.ts";
import { toolsFolder } from "../../support/editor/paths.ts";
import { type ServerEditor, startServerEditor } from "../../support/editor/serverEditor.ts";
import { buildAndPackage } from "../../support/packageExtension.ts";

/** The looks every screen is checked in: the theme's id and title in the editor, and the class its workbench has. */
const themes = {
  dark: { id: "Dark Modern", title: "Dark Modern", css: "vs-dark" },
  light: { id: "Light Modern", title: "Light Modern", css: "vs" },
  "high-contrast": { id: "Default High Contrast", title: "Dark High Contrast", css: "hc-black" },
  "high-contrast-light": { id: "Default High Contrast Light", title: "Light High Contrast", css: "hc-light" },
} as const;

type Theme = keyof typeof themes;

/** A user at a real VS Code with the packaged extension: what they do, and what they see. */
export interface Journey {
  readonly editor: ServerEditor;
  readonly page: Page;
  /** Changes user settings for the next `reload`: the server does not watch the file. `undefined` takes one away. */
  configure(settings: Readonly<Record<string, unknown>>): void;
  /** Chooses a theme, by the palette (so not under a modal dialog), and waits until it is there. */
  use(theme: Theme): Promise<void>;
  /** Runs a command by its title in the palette, "Bidside: Place Bid". */
  run(title: string): Promise<void>;
  /** The modal dialog, when one is open. */
  dialog(): Locator;
  /** Presses a button of the modal dialog and waits until the dialog is gone. */
  answer(button: string): Promise<void>;
  /** Opens Bidside's side bar from the activity bar. */
  openSideBar(): Promise<void>;
  /** The rows of a view in the side bar, by the view's title. */
  rows(view: string): Locator;
  /** A status bar item by its id without the extension's, "bidside.balance". */
  statusItem(id: string): Locator;
  /** The inside of the one webview that is open. */
  webview(): FrameLocator;
  /** What axe finds wrong inside the webview; empty when nothing is. */
  accessibilityProblems(): Promise<readonly string[]>;
  /** Saves .vscode-test/screenshots/<name>-<theme>.png in each theme; ends in the dark one. */
  pictures(name: string, looks?: readonly Theme[]): Promise<void>;
  /** Loads the workbench again, as a user does who reloads the window. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

export interface JourneyOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

let packaged: Promise<string> | undefined;

/** Starts the editor with the packaged extension and opens its workbench. The caller stops it. */
export async function startJourney(options: JourneyOptions = {}): Promise<Journey> {
  packaged ??= buildAndPackage();
  const settings: Record<string, unknown> = {
    "workbench.colorTheme": themes.dark.id,
    "workbench.reduceMotion": "on",
    ...options.settings,
  };
  const vsixes = [await packaged];
  const env = options.env ?? {};
  const editor = await startServerEditor({ progress: console.log, vsixes, settings, env });
  let browser: Browser | undefined;
  try {
    browser = await openBrowser(console.log);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await openWorkbench(page, editor);
    return journeyOf(editor, browser, page);
  } catch (error) {
    await browser?.close();
    await editor.stop();
    throw new Error(`The workbench did not open. The server said:\n${editor.said()}`, { cause: error });
  }
}

async function openWorkbench(page: Page, editor: ServerEditor): Promise<void> {
  const workspace = join(editor.userDataDir, "workspace");
  await page.goto(`${editor.url}?folder=${encodeURIComponent(workspace)}`);
  await page.locator(".monaco-workbench").waitFor();
  await page.locator(sideBarButton).waitFor();
}

/** The activity bar's button shows that the extension's contributions have arrived. */
const sideBarButton = '.activitybar .action-item a[aria-label^="Bidside"]';

function journeyOf(editor: ServerEditor, browser: Browser, page: Page): Journey {
  const settingsFile = join(editor.userDataDir, "User", "settings.json");
  const configure: Journey["configure"] = (changes) => {
    const settings = JSON.parse(readFileSync(settingsFile, "utf8")) as Record<string, unknown>;
    writeFileSync(settingsFile, JSON.stringify({ ...settings, ...changes }, undefined, 2));
  };
  const choose = async (text: string): Promise<void> => {
    await page.locator(".quick-input-widget input").fill(text);
    const title = text.replace(/^>/, "");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().click();
  };
  const run: Journey["run"] = async (title) => {
    await page.keyboard.press("F1");
    await choose(`>${title}`);
  };
  const use: Journey["use"] = async (theme) => {
    const look = page.locator(`.monaco-workbench.${themes[theme].css}`);
    if (await look.isVisible()) return;
    await run("Preferences: Color Theme");
    await page.locator('.quick-input-widget input[placeholder*="Color Theme"]').waitFor();
    await choose(themes[theme].title);
    await look.waitFor();
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  };
  const webview = (): FrameLocator => page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  const dialog = (): Locator => page.locator(".monaco-dialog-box");
  return {
    editor,
    page,
    configure,
    use,
    run,
    dialog,
    answer: async (button) => {
      await dialog().getByRole("button", { name: button, exact: true }).click();
      await dialog().waitFor({ state: "detached" });
    },
    openSideBar: async () => {
      const container = page.locator('.sidebar [id="workbench.view.extension.bidside"]');
      if (!(await container.isVisible())) await page.locator(sideBarButton).click();
      await container.waitFor();
    },
    rows: (view) => page.locator(`.sidebar [role="tree"][aria-label^="${view}"] [role="treeitem"]`),
    statusItem: (id) => page.locator(`[id="bidside.bidside.${id}"]`),
    webview,
    accessibilityProblems: () => runAxe(webview()),
    pictures: async (name, looks = ["light", "high-contrast", "high-contrast-light", "dark"]) => {
      const folder = join(toolsFolder, "screenshots");
      mkdirSync(folder, { recursive: true });
      for (const theme of looks) {
        await use(theme);
        await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
      }
    },
    reload: async () => openWorkbench(page, editor),
    stop: async () => {
      await browser.close();
      await editor.stop();
    },
  };
}

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

interface AxeResults {
  readonly violations: readonly { id: string; help: string; nodes: readonly { html: string }[] }[];
}

async function runAxe(webview: FrameLocator): Promise<readonly string[]> {
  const document = await webview.locator("html").elementHandle();
  const frame = await document?.ownerFrame();
  if (frame === null || frame === undefined) throw new Error("The webview is gone.");
  // As text: the webview's own rules forbid foreign scripts, but not what the browser's driver evaluates.
  await frame.evaluate(axe);
  const { violations } = (await frame.evaluate("axe.run()")) as AxeResults;
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(", ")})`,
  );
}
