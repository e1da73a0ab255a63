import { join } from "node:path";
import { build } from "esbuild";
import type { Browser, Locator, Page } from "playwright-core";
import type { Uri, Webview } from "vscode";
import { openBrowser } from "../../../tools/editor/openBrowser.ts";
import { root } from "../../../tools/paths.ts";

/** A secure context, as in the editor. No request reaches it: the browser gets the page's files instead. */
const ORIGIN = "https://page.test";
const HTML = "text/html; charset=utf-8";

interface PageGlobals {
  sent: unknown[];
  state: unknown;
  acquireVsCodeApi: () => unknown;
  readonly location: { readonly hash: string };
}

interface Hosted {
  /** The folder of the page in `src/webview/`. */
  readonly name: string;
  /** The page's HTML, as created by the extension. */
  readonly html: (webview: Webview, extensionUri: Uri) => Promise<string>;
  readonly size: { readonly width: number; readonly height: number };
  /** State stored by an earlier page. */
  readonly state?: unknown;
  /** Lets the test advance the page's timers. */
  readonly drivesClock?: boolean | undefined;
}

type Files = Readonly<Record<string, readonly [type: string, body: string]>>;

/** A page of the browser, in which one test after the other loads its document. */
interface Tab {
  readonly page: Page;
  /** The files that the next document consists of, by path. */
  files: Files;
}

let browser: Promise<Browser> | undefined;
after(() =>
  browser?.then(
    (opened) => opened.close(),
    () => undefined,
  ),
);

/** Tabs that earlier tests have left. A tab takes ten times as long to open as a document to load. */
const idle: Tab[] = [];
let loads = 0;

async function openTab(): Promise<Tab> {
  browser ??= openBrowser(console.log);
  const page = await (await browser).newPage({ locale: "en-GB", timezoneId: "UTC" });
  const tab: Tab = { page, files: {} };
  await page.route("**/*", async (route) => {
    const [contentType, body] = tab.files[new URL(route.request().url()).pathname] ?? ["text/plain", ""];
    await route.fulfill({ contentType, body });
  });
  await page.addInitScript(() => {
    const globals = globalThis as unknown as PageGlobals;
    const sent: unknown[] = (globals.sent = []);
    const [, stored] = globals.location.hash.split("#");
    globals.state = stored === undefined ? undefined : JSON.parse(decodeURIComponent(stored));
    globals.acquireVsCodeApi = () => ({
      postMessage: (message: unknown) => sent.push(message),
      getState: () => globals.state,
      setState: (given: unknown) => (globals.state = given),
    });
  });
  return tab;
}

/** The built script and style of each page, by their addresses in the extension. */
const built = new Map<string, Promise<Files>>();

async function filesOf(name: string): Promise<Files> {
  const [script, style] = await Promise.all(
    ["page.ts", "page.css"].map(async (file) => {
      const entry = join(root, "src/webview", name, file);
      const { outputFiles } = await build({
        entryPoints: [entry],
        bundle: true,
        format: "iife",
        write: false,
      });
      return outputFiles[0]?.text ?? "";
    }),
  );
  return {
    [`/dist/webview/${name}/page.js`]: ["text/javascript", script ?? ""],
    [`/dist/webview/${name}/page.css`]: ["text/css", style ?? ""],
  };
}

interface Loaded {
  readonly tab: Tab;
  /** The clock of the test stays in the tab, so no other test can use it. */
  readonly drivesClock: boolean;
}

/** A page of the extension in a browser without an editor: the test is its host. */
export class HostedPage<Sent, Received> {
  readonly page: Page;
  readonly #tab: Tab;
  readonly #isReusable: boolean;

  protected constructor({ tab, drivesClock }: Loaded) {
    this.page = tab.page;
    this.#tab = tab;
    this.#isReusable = !drivesClock;
  }

  protected static async load({ name, html, size, state, drivesClock = false }: Hosted): Promise<Loaded> {
    const webview = {
      cspSource: ORIGIN,
      asWebviewUri: ({ fsPath }: Uri) => ({ toString: () => ORIGIN + fsPath.slice(root.length) }),
    } as unknown as Webview;
    const building = built.get(name) ?? filesOf(name);
    built.set(name, building);
    const tab = drivesClock ? await openTab() : (idle.pop() ?? (await openTab()));
    const { page } = tab;
    if (drivesClock) await page.clock.install();
    tab.files = { ...(await building), "/": [HTML, await html(webview, { fsPath: root } as Uri)] };
    await page.setViewportSize(size);
    // The pointer of the test before.
    await page.mouse.move(-1, -1);
    const stored = state === undefined ? "" : `#${encodeURIComponent(JSON.stringify(state))}`;
    await page.goto(`${ORIGIN}/?${(loads += 1)}${stored}`);
    return { tab, drivesClock };
  }

  /** Sends the host's messages; resolves once the page has rendered them. */
  async show(...messages: readonly Received[]): Promise<void> {
    await this.page.evaluate(
      async (posted) => {
        const page = globalThis as unknown as {
          dispatchEvent(event: unknown): void;
          requestAnimationFrame(callback: () => void): void;
        };
        for (const data of posted) page.dispatchEvent(new MessageEvent("message", { data }));
        // One frame to render, and the next one.
        for (let frame = 0; frame < 2; frame += 1) {
          await new Promise<void>((resolve) => page.requestAnimationFrame(resolve));
        }
      },
      messages as readonly unknown[],
    );
  }

  /** Sends the host's messages in one task; resolves to how often an element's text changed while they were rendered. */
  async changesOf(selector: string, ...messages: readonly Received[]): Promise<number> {
    await this.page.evaluate((observed) => {
      const page = globalThis as unknown as {
        document: { querySelector(selector: string): object | null };
        MutationObserver: new (seen: (found: unknown[]) => void) => {
          observe(at: object | null, what: object): void;
        };
        changes: number;
      };
      page.changes = 0;
      new page.MutationObserver((found) => (page.changes += found.length)).observe(
        page.document.querySelector(observed),
        { childList: true },
      );
    }, selector);
    await this.show(...messages);
    return await this.page.evaluate(() => (globalThis as unknown as { changes: number }).changes);
  }

  /** All messages of the page to its host, oldest first. */
  async sent(): Promise<Sent[]> {
    return (await this.page.evaluate(() => (globalThis as unknown as PageGlobals).sent)) as Sent[];
  }

  /** The state that the page stored for the next page. */
  state(): Promise<unknown> {
    return this.page.evaluate(() => (globalThis as unknown as PageGlobals).state);
  }

  get(id: string): Locator {
    return this.page.locator(`#${id}`);
  }

  /** The text of an element, visible or not. */
  async text(id: string): Promise<string> {
    return (await this.get(id).textContent()) ?? "";
  }

  /** Ends the test's use of the page. */
  async close(): Promise<void> {
    this.page.removeAllListeners("pageerror");
    if (this.#isReusable) idle.push(this.#tab);
    else await this.page.context().close();
  }
}
