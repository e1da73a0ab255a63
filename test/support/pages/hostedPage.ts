import { join } from "node:path";
import { build } from "esbuild";
import type { Browser, Locator, Page } from "playwright-core";
import type { Uri, Webview } from "vscode";
import { openBrowser } from "../../../tools/editor/openBrowser.ts";
import { root } from "../../../tools/paths.ts";
import { BEAT_MS, type Beat } from "../../../src/protocol/echo.ts";
import type { Theme } from "../themes.ts";
import { applyLook, fontsAreLoaded, inEditor } from "./editorLook.ts";
import { nextFrames } from "./frames.ts";
import { type Font, fontFiles } from "./fonts.ts";
import { PageServer } from "./pageServer.ts";

interface PageGlobals {
  sent: unknown[];
  state: unknown;
  acquireVsCodeApi: () => unknown;
  readonly location: { readonly hash: string };
  dispatchEvent(event: unknown): void;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Hosted {
  /** The folder of the page in `src/webview/`. */
  readonly name: string;
  /** The page's HTML, as created by the extension. */
  readonly html: (webview: Webview, extensionUri: Uri) => Promise<string>;
  readonly size: Size;
  /** State stored by an earlier page. */
  readonly state?: unknown;
  /** Lets the test advance the page's timers. */
  readonly drivesClock?: boolean | undefined;
}

const server = new PageServer();
server.add(fontFiles());

let browser: Promise<Browser> | undefined;
after(() =>
  browser?.then(
    (opened) => opened.close(),
    () => undefined,
  ),
);

/**
 * Pages of the browser that earlier tests have left, to load another document: a new one with its own context takes ten
 * times as long.
 */
const idle: Page[] = [];

/** `beatMs`: interval of the host's heartbeat; undefined: the test sends it. */
async function openTab(beatMs: number | undefined): Promise<Page> {
  browser ??= openBrowser(console.log);
  const page = await (await browser).newPage({ locale: "en-GB", timezoneId: "UTC" });
  await page.addInitScript((beatMs) => {
    const globals = globalThis as unknown as PageGlobals;
    const sent: unknown[] = (globals.sent = []);
    const [, stored] = globals.location.hash.split("#");
    globals.state = stored === undefined ? undefined : JSON.parse(decodeURIComponent(stored));
    globals.acquireVsCodeApi = () => ({
      postMessage: (message: unknown) => sent.push(message),
      getState: () => globals.state,
      setState: (given: unknown) => (globals.state = given),
    });
    const beat: Beat = { type: "beat" };
    if (beatMs !== undefined)
      setInterval(() => globals.dispatchEvent(new MessageEvent("message", { data: beat })), beatMs);
  }, beatMs);
  return page;
}

/** The pages whose script and style are served. */
const built = new Map<string, Promise<void>>();

/** Builds a page's script and style, served by their paths in the extension. */
async function buildPage(name: string): Promise<void> {
  const [script = "", style = ""] = await Promise.all(
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
  server.add({
    [`/dist/webview/${name}/page.js`]: ["text/javascript; charset=utf-8", script],
    [`/dist/webview/${name}/page.css`]: ["text/css; charset=utf-8", style],
  });
}

/** The clock of a page jumps by this time as it is paused: it cannot be paused at a time that has passed. */
const PAUSED_WITHIN_MS = 60_000;
const TWO_FRAMES_MS = 40;

interface Loaded {
  readonly page: Page;
  /** Then no other test can use the page: the clock stays. */
  readonly drivesClock: boolean;
}

/** A page of the extension in a browser without an editor: the test is its host. */
export class HostedPage<Sent, Received> {
  readonly page: Page;
  readonly #isReusable: boolean;

  protected constructor({ page, drivesClock }: Loaded) {
    this.page = page;
    this.#isReusable = !drivesClock;
  }

  protected static async load({ name, html, size, state, drivesClock = false }: Hosted): Promise<Loaded> {
    const origin = await server.origin;
    const webview = {
      cspSource: origin,
      asWebviewUri: ({ fsPath }: Uri) => ({ toString: () => origin + fsPath.slice(root.length) }),
    } as unknown as Webview;
    const building = built.get(name) ?? buildPage(name);
    built.set(name, building);
    const page = drivesClock ? await openTab(undefined) : (idle.pop() ?? (await openTab(BEAT_MS)));
    if (drivesClock) await page.clock.install();
    await page.setViewportSize(size);
    // The pointer of the test before.
    await page.mouse.move(-1, -1);
    await building;
    const path = server.addDocument(inEditor(await html(webview, { fsPath: root } as Uri)));
    const stored = state === undefined ? "" : `#${encodeURIComponent(JSON.stringify(state))}`;
    await page.goto(origin + path + stored);
    await fontsAreLoaded(page);
    if (drivesClock) await page.clock.pauseAt((await page.evaluate(() => Date.now())) + PAUSED_WITHIN_MS);
    return { page, drivesClock };
  }

  /** Sends the host's messages; resolves once the page has rendered them. */
  async show(...messages: readonly Received[]): Promise<void> {
    await this.page.evaluate(
      (posted) => {
        const page = globalThis as unknown as PageGlobals;
        for (const data of posted) page.dispatchEvent(new MessageEvent("message", { data }));
      },
      messages as readonly unknown[],
    );
    // One frame to render, and the next one.
    if (this.#isReusable) await nextFrames(this.page, 2);
    else await this.page.clock.runFor(TWO_FRAMES_MS);
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
        { childList: true, characterData: true, subtree: true },
      );
    }, selector);
    await this.show(...messages);
    return await this.page.evaluate(() => (globalThis as unknown as { changes: number }).changes);
  }

  /** Changes the editor's theme and font; resolves once the page has them. */
  useLook(theme: Theme, font: Font): Promise<void> {
    return applyLook(this.page, theme, font);
  }

  /** Gives the page a size in CSS pixels; resolves once it is drawn at this size. */
  async resize(size: Size): Promise<void> {
    await this.page.setViewportSize(size);
    // A chart observes its new size in the first frame, and draws in the second one.
    await nextFrames(this.page, 3);
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
    if (this.#isReusable) idle.push(this.page);
    else await this.page.context().close();
  }
}
