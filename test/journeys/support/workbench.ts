import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser, FrameLocator, Locator, Page } from "playwright-core";
import { statusItemIds, extensionId } from "../../../src/contributions.ts";
import { openBrowser } from "../../../tools/editor/openBrowser.ts";
import { startServerEditor, type ServerEditor } from "../../../tools/editor/serverEditor.ts";
import { packaged } from "../../../tools/packageExtension.ts";
import { countActions } from "../../../tools/test/step.ts";
import { LONGEST_ACTION_MS, logsBeside, pictureOfFailure, within } from "../../../tools/test/story.ts";
import { keepPicture, keepPictures } from "../../support/picture.ts";
import { pickedThemes, themes, type Theme } from "../../support/themes.ts";
import { setFont } from "./font.ts";
import { askHost, Hosts, installResettableApp, stateIn } from "./host.ts";
import { hostFolders, type HostRequest } from "./hostRequest.ts";
import { pagesOn, pageWith } from "./pages.ts";
import { chooseEntry, quickBox } from "./quickBox.ts";
import { type There, TRY_MS, untilShown } from "./repeat.ts";

let vsix: Promise<string> | undefined;
/** The window's size in CSS pixels. */
const SIZE = { width: 1280, height: 860 };

type KeyPair = Readonly<Record<"apiKey" | "apiSecret", string>>;
export interface WorkbenchOptions {
  /** Written into the workspace's folder first, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Written into the extension's own storage first, by path. */
  readonly storage?: Readonly<Record<string, string>>;
  /** A .code-workspace of the folder, opened in its place. */
  readonly workspace?: string | undefined;
  /** Opens the folder in Restricted Mode. */
  readonly isRestricted?: boolean;
  /** The user's own settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The window's size in CSS pixels. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Device pixels to a CSS pixel. */
  readonly scale?: number;
  /** Runs in every frame of every page, before the frame's own scripts. */
  readonly initScript?: () => void;
}

/** What a window has after its reset. */
export type ResetOptions = Partial<Omit<Extract<HostRequest, { type: "reset" }>, "type">>;

/** A person at the workbench of a real VS Code, with the packaged extension in it. */
export class Workbench {
  readonly page: Page;
  readonly #editor: ServerEditor;
  readonly #browser: Browser;
  readonly #hosts: Hosts;
  /** Where the extension host of this window takes requests. */
  #port: string | undefined;

  private constructor(editor: ServerEditor, browser: Browser, page: Page, hosts: Hosts) {
    this.#editor = editor;
    this.#browser = browser;
    this.page = page;
    this.#hosts = hosts;
  }

  /** Opens a fresh editor, with the Bidside sidebar in front. */
  static open(theme: Theme = "dark", options: WorkbenchOptions = {}): Promise<Workbench> {
    return within("open an editor", () => Workbench.#open(theme, options));
  }

  static async #open(theme: Theme, options: WorkbenchOptions): Promise<Workbench> {
    const { files = {}, storage = {}, isRestricted = false, initScript, settings = {}, scale = 1 } = options;
    const { size = SIZE } = options;
    const editor = await startServerEditor({
      progress: console.log,
      vsixes: [await (vsix ??= packaged())],
      isRestricted,
      isLean: true,
      settings: { ...lookOf(theme), ...settings },
    });
    let browser: Browser | undefined;
    let workbench: Workbench | undefined;
    try {
      writeAll(join(editor.userDataDir, "workspace"), files);
      writeAll(join(storageIn(editor.userDataDir), `${hostFolders.state}0`), storage);
      await installResettableApp(join(editor.userDataDir, "extensions"));
      browser = await openBrowser(console.log, scale);
      const context = await browser.newContext({ viewport: size, deviceScaleFactor: scale });
      context.setDefaultTimeout(LONGEST_ACTION_MS);
      if (initScript) await context.addInitScript(initScript);
      const page = await context.newPage();
      for (const each of [page, page.mainFrame(), page.locator("body"), page.keyboard, page.mouse])
        countActions(each);
      const hosts = new Hosts(storageIn(editor.userDataDir));
      workbench = new Workbench(editor, browser, page, hosts);
      await workbench.#load(options.workspace);
      return workbench;
    } catch (error) {
      await workbench?.screenshot("failed-to-open").catch(() => undefined);
      await browser?.close();
      await editor.stop();
      throw error;
    }
  }

  /** Loads the page and brings Bidside's sidebar to the front. */
  load(): Promise<void> {
    return within("load a window", () => this.#load());
  }

  async #load(workspace?: string): Promise<void> {
    const folder = join(this.#editor.userDataDir, "workspace");
    const place =
      workspace === undefined
        ? `folder=${encodeURIComponent(folder)}`
        : `workspace=${encodeURIComponent(join(folder, workspace))}`;
    await this.page.goto(`${this.#editor.url}?${place}`);
    await setFont(this.page);
    await this.showSidebar();
    this.#port = await this.#hosts.next();
  }

  /** Brings Bidside's sidebar to the front, where another one may be. */
  async showSidebar(): Promise<void> {
    // By now the window has restored its sidebar: an earlier click might close it.
    await this.balance.waitFor();
    // Its name continues with the number of orders that need the user.
    const icon = this.page.locator('.activitybar .action-item:has([aria-label^="Bidside"])').first();
    await icon.waitFor();
    if ((await icon.getAttribute("class"))?.includes("checked") !== true) await icon.click();
  }

  /** Closes all that is open in this only window, and puts extension, settings and everything stored back to a fresh installation's. */
  async reset({
    settings = {},
    accounts = [],
    secrets = {},
    authorities = [],
    isFirstLook = false,
  }: ResetOptions): Promise<void> {
    await this.page.mouse.move(0, 0);
    await this.page.setViewportSize(SIZE);
    await this.#ask({
      type: "reset",
      settings: { ...lookOf("dark"), ...settings },
      accounts,
      secrets,
      authorities,
      isFirstLook,
    });
  }

  /** Runs a command, to get to where a story begins: nothing is typed, and no key is pressed. */
  run(command: string, ...args: readonly unknown[]): Promise<void> {
    return this.#ask({ type: "run", command, args });
  }

  async #ask(request: HostRequest): Promise<void> {
    if (this.#port === undefined) throw new Error("The extension takes no requests.");
    await askHost(this.#port, request);
  }

  /** Opens a second window of the same editor, with an extension host of its own. */
  async secondWindow(): Promise<Workbench> {
    const page = await this.page.context().newPage();
    const window = new Workbench(this.#editor, this.#browser, page, this.#hosts);
    await window.load();
    return window;
  }

  /** Kills the editor's server with its windows, extension and practice exchange (`kill -9`), and starts it again after `change`. */
  async killAndRestart(change: () => void): Promise<void> {
    await within("restart the server", () => this.#editor.killAndRestart(change));
    await this.load();
  }

  /** Reloads the window, even below a question, and waits until the page that was open in it is back: by default the ticket. */
  async reload(page: Locator = this.#ticketPrice): Promise<void> {
    // The extension host ends, and answers no more.
    void this.run("workbench.action.reloadWindow").catch(() => undefined);
    await this.page.locator("iframe.webview.ready").first().waitFor({ state: "detached" });
    await this.#isBack(page);
    this.#port = await this.#hosts.next();
  }

  /** Waits for the ticket of a window that was just loaded, with the price of its pair. */
  ticketIsBack(): Promise<void> {
    return this.#isBack(this.#ticketPrice);
  }

  get #ticketPrice(): Locator {
    return this.form.locator("#last", { hasText: /\d/ });
  }

  #isBack(page: Locator): Promise<void> {
    return within("load a window", () => page.waitFor());
  }

  /** The folder of the editor's user data. */
  get userDataDir(): string {
    return this.#editor.userDataDir;
  }

  /** Ends browser and server; keeps a picture of each window, and the editor's logs, if the story has failed. */
  async close(): Promise<void> {
    const picture = pictureOfFailure();
    if (picture !== undefined) {
      await keepPictures(this.#browser, picture);
      const logs = logsBeside(picture);
      rmSync(logs, { recursive: true, force: true });
      cpSync(join(this.#editor.userDataDir, "logs"), logs, { recursive: true });
    }
    await this.#browser.close();
    await this.#editor.stop();
  }

  /** Where a resettable extension keeps its files. */
  get storageFolder(): string {
    return stateIn(storageIn(this.#editor.userDataDir));
  }

  /** Where the extension keeps its order journal. */
  get journalFolder(): string {
    const products = join(this.storageFolder, hostFolders.dataHome, "bidside");
    const [product] = readdirSync(products);
    return join(products, product ?? "", "orders");
  }

  /** The status bar item. */
  get balance(): Locator {
    return this.page.locator(`[id="${extensionId}.${statusItemIds.balance}"]`);
  }

  /** The page of the order ticket on screen. */
  get form(): FrameLocator {
    return pageWith(this.page, "#amount");
  }

  /** The page of the chart on screen. */
  get chart(): FrameLocator {
    return pageWith(this.page, "#chart");
  }

  /** The page about what an exchange offers. */
  get exchangePage(): FrameLocator {
    return pageWith(this.page, "#sections");
  }

  /** All rows of Markets that are on screen. */
  get rows(): Locator {
    return this.#view("Markets").locator(".monaco-list-row");
  }

  /** The row of a pair on an exchange whose pairs have one quote asset. */
  row(symbol: string): Locator {
    const [, base = symbol] = symbol.split("_");
    return this.rows.filter({
      has: this.page.locator(".label-name", { hasText: new RegExp(`^${base}$`) }),
    });
  }

  /** Symbols of the rows of Markets that are on screen, from top to bottom, as their words name them: "BTC in THB". */
  async symbols(): Promise<string[]> {
    const rows = await this.rows.evaluateAll((all) =>
      all.map((row) => ({
        place: Number(row.getAttribute("data-index")),
        symbol: (row.getAttribute("aria-label") ?? "").replace(/^(\S+) in (\S+),.*/, "$2_$1"),
      })),
    );
    return rows.sort((a, b) => a.place - b.place).map(({ symbol }) => symbol);
  }

  /** The message of the Markets view above its rows. */
  get message(): Locator {
    return this.#view("Markets").locator(".message").first();
  }

  /** The header of a view: its name, its description and its actions. */
  header(view: string): Locator {
    return this.#view(view).locator(".pane-header");
  }

  /** All rows of the Wallet view that are on screen. */
  get wallet(): Locator {
    return this.#view("Wallet").locator(".monaco-list-row");
  }

  /** The status bar item of a pinned pair. */
  pinned(symbol: string): Locator {
    return this.page.locator(`[id="${extensionId}.${statusItemIds.pinned}${symbol}"]`);
  }

  /** All rows of Orders that are on screen. */
  get orders(): Locator {
    return this.#view("Orders").locator(".monaco-list-row");
  }

  /** All rows of Alerts that are on screen. */
  get alerts(): Locator {
    return this.#view("Alerts").locator(".monaco-list-row");
  }

  #view(name: string): Locator {
    return this.page.locator(".pane", { has: this.page.locator(".pane-header", { hasText: name }) });
  }

  get modal(): Locator {
    return this.page.locator(".monaco-dialog-box");
  }

  get quickInput(): Locator {
    return quickBox(this.page);
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  /** Runs a command from the palette, by its full title, until what it leads to is on screen. */
  async command(title: string, there?: There): Promise<void> {
    const choose = async (): Promise<void> => {
      // Of several windows, only the front window keeps its palette open.
      await this.page.bringToFront();
      await chooseEntry(this.page, title, { prefix: ">", keys: ["F1"] });
    };
    await (there ? untilShown(title, choose, there) : choose());
  }

  /** Runs a command from the palette that opens a pick or an input box with this title. */
  openBox(title: string, box: string): Promise<void> {
    return this.command(title, this.quickInput.locator(".quick-input-title", { hasText: box }));
  }

  /** Makes an address the live venue, with a key pair, or without one for watching only. */
  async goLive(baseUrl: string, pair?: KeyPair): Promise<void> {
    await this.openBox("Bidside: Add Account", "Live Exchange");
    await this.type("Live Exchange", baseUrl);
    // An exchange that does not name the header in its refusal leaves the question to the user.
    const next = this.quickInput.getByText(/Header Prefix|API Key for/).first();
    await next.waitFor();
    if (/Header Prefix/.test(await next.innerText())) await this.type("Header Prefix", "X-SVC-");
    await this.type("API Key for", pair?.apiKey ?? "");
    if (pair) await this.type("API Secret for", pair.apiSecret);
    await this.exchangePage.getByRole("button", { name: "Switch to Live" }).click();
    // "Live", or the label of one of several accounts.
    await this.balance.filter({ hasNotText: "Practice" }).waitFor();
  }

  /** Enters a live venue's key pair where the status item asks for one. A window in a browser forgets the key at a reload. */
  async enterKey(pair: KeyPair): Promise<void> {
    const wanted = "Set API Key";
    await this.balance.filter({ hasText: wanted }).click();
    await this.type("API Key for", pair.apiKey);
    await this.type("API Secret for", pair.apiSecret);
    await this.balance.filter({ hasNotText: wanted }).waitFor();
  }

  /** Chooses an entry of the quick pick that is open. */
  async pick(label: string, timeout = LONGEST_ACTION_MS): Promise<void> {
    await this.quickInput.locator(".monaco-list-row", { hasText: label }).first().click({ timeout });
  }

  /** Types into the input box that is open and accepts. */
  async type(title: string, text: string): Promise<void> {
    await this.quickInput.getByText(title).first().waitFor();
    await this.quickInput.locator("input.input").fill(text);
    await this.press("Enter");
  }

  /** Enters a path into the editor's box for a file that is open, until what it leads to is on screen. */
  chooseFile(path: string, there: There): Promise<true> {
    const choose = async (): Promise<void> => {
      // The editor replaces what is typed before it has listed the folder.
      await this.quickInput.locator(".monaco-list-row").first().waitFor();
      await this.quickInput.locator("input.input").fill(path, { timeout: TRY_MS });
      await this.press("Enter");
    };
    return untilShown("a box for a file", choose, there);
  }

  /** Opens a link into the editor, and allows it where the editor asks, until what it leads to is on screen. */
  openLink(link: string, there: There): Promise<true> {
    const open = async (): Promise<void> => {
      await this.command("Developer: Open URL", this.quickInput.getByText("URL to open"));
      await this.type("URL to open", link);
      await this.answerModal("Open");
    };
    return untilShown("Developer: Open URL", open, there);
  }

  async answerModal(button: string): Promise<void> {
    await this.modal.locator(".monaco-button", { hasText: button }).click();
  }

  /** Fills the form in as a person would: the pair first. */
  async draft(draft: { symbol?: string; amount?: string; rate?: string }): Promise<void> {
    if (draft.symbol !== undefined) {
      await this.form.locator("#pair").fill(draft.symbol);
      await this.form.locator("#pair").press("Enter");
      await this.form.locator("#last", { hasText: /\d/ }).waitFor();
    }
    if (draft.amount !== undefined) await this.form.locator("#amount").fill(draft.amount);
    if (draft.rate !== undefined) await this.form.locator("#rate").fill(draft.rate);
  }

  /** The figure in a field of the order ticket, without grouping and padding; "" for none. */
  async figure(field: "rate" | "amount"): Promise<string> {
    const shown = await this.form.locator(`#${field}`).inputValue();
    return shown === "" ? "" : String(Number(shown.replaceAll(",", "")));
  }

  /** Opens the order ticket, and waits until it has its pairs. */
  async openTicket(): Promise<void> {
    await this.command("Bidside: Place Bid", this.form.locator("body"));
    await this.ticketIsReady();
  }

  /** Closes the order ticket by the button of its tab. */
  async closeTicket(): Promise<void> {
    const tab = this.page.locator('.tab[aria-label*="Order Ticket"]');
    await tab.locator(".tab-actions .action-label").first().click();
    await tab.waitFor({ state: "detached" });
  }

  /** Waits until the order ticket has pairs to choose from. */
  async ticketIsReady(): Promise<void> {
    await this.form.getByPlaceholder("Choose a pair").waitFor();
  }

  async submit(): Promise<void> {
    await this.form.locator("#submit").click();
  }

  /** Waits until the form's outcome has this text. */
  async outcome(text: string | RegExp): Promise<void> {
    await this.form.locator("#status", { hasText: text }).waitFor();
  }

  /** Changes the colour theme as a person would, with the pages left open, and waits until the pages have it. */
  async useTheme(theme: Theme): Promise<void> {
    // Not from the palette: as the palette closes, it gives the focus to the page, which closes the picker.
    await chooseEntry(this.page, pickedThemes[theme], { prefix: "", keys: ["Control+K", "Control+T"] });
    for (const page of await pagesOn(this.page))
      await page.locator(`body[data-vscode-theme-id="${themes[theme]}"]`).waitFor();
  }

  /** Keeps a picture of the whole window under .vscode-test/screenshots/. */
  screenshot(name: string): Promise<void> {
    return keepPicture(this.page, name);
  }
}

function lookOf(theme: Theme): Readonly<Record<string, unknown>> {
  return { "workbench.colorTheme": themes[theme], "workbench.reduceMotion": "on" };
}

function storageIn(userDataDir: string): string {
  return join(userDataDir, "User", "globalStorage", extensionId);
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
