import { selectors, type Frame, type FrameLocator, type Page } from "playwright-core";

/** The parts of an element that the engine reads. */
interface Root {
  readonly contentDocument?: Root | null;
  querySelector(selector: string): Root | null;
  querySelectorAll(selector: string): Iterable<Root>;
}

// A filter of Playwright cannot look into a frame. The workbench can: it has one origin with its webviews.
await selectors.register("webview", () => ({
  query: undefined,
  queryAll: (root: Root, wanted: string): Root[] =>
    [...root.querySelectorAll("iframe.webview.ready")].filter((webview) => {
      const page = webview.contentDocument?.querySelector("#active-frame")?.contentDocument;
      return Boolean(page?.querySelector(wanted));
    }),
}));

const ON_SCREEN = "iframe.webview.ready";
const CONTENT = "#active-frame";

/** The page of ours on screen that has an element: `#chart`. */
export function pageWith(window: Page, selector: string): FrameLocator {
  return window.frameLocator(`webview=${selector}`).frameLocator(CONTENT);
}

/** The pages of ours on screen; at least one. */
export async function pagesOn(window: Page): Promise<FrameLocator[]> {
  const webviews = await window.locator(ON_SCREEN).all();
  if (webviews.length === 0) throw new Error("No page of ours is on screen.");
  return webviews.map((webview) => webview.contentFrame().frameLocator(CONTENT));
}

/** The frame of a page of ours. */
export async function frameOf(page: FrameLocator): Promise<Frame> {
  const frame = await (await page.locator("main").elementHandle())?.ownerFrame();
  if (!frame) throw new Error("The page has no frame.");
  return frame;
}
