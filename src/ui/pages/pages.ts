import type * as vscode from "vscode";
import { BEAT_MS, type Beat, type Echo, isEcho } from "../../protocol/echo.ts";

interface OpenPage {
  readonly panel: vscode.WebviewPanel;
  /** Callers waiting for an echo, by its id. */
  readonly waiting: Map<number, () => void>;
}

const open = new Set<OpenPage>();
let asked = 0;

/** Forwards a page's messages, except echoes. */
export function onPageMessage(
  panel: vscode.WebviewPanel,
  receive: (message: unknown) => void,
): vscode.Disposable {
  const page: OpenPage = { panel, waiting: new Map() };
  const stopWaiting = (): void => {
    for (const done of page.waiting.values()) done();
    page.waiting.clear();
  };
  open.add(page);
  const beat = setInterval(() => {
    if (panel.visible) void isReached(panel, { type: "beat" });
  }, BEAT_MS);
  // Must not keep a test process alive.
  beat.unref?.();
  panel.onDidDispose(() => {
    clearInterval(beat);
    open.delete(page);
    stopWaiting();
  });
  // The editor destroys hidden pages, which send no echo and cannot take focus.
  panel.onDidChangeViewState(() => {
    if (!panel.visible) stopWaiting();
  });
  return panel.webview.onDidReceiveMessage((message: unknown) => {
    if (isEcho(message)) page.waiting.get(message.id)?.();
    else receive(message);
  });
}

/** Maximum wait for a page, ms, because a stuck page must not block a pick. */
const LONGEST_WAIT_MS = 2000;

/**
 * Resolves when every visible page has handled the editor's earlier messages, was closed, is unreachable, or does not
 * respond within `limitMs`.
 */
export async function pagesHaveCaughtUp(limitMs = LONGEST_WAIT_MS): Promise<void> {
  const shown = [...open].filter(({ panel }) => panel.visible);
  await Promise.all(shown.map((page) => echo(page, limitMs)));
}

async function echo({ panel, waiting }: OpenPage, limitMs: number): Promise<void> {
  const id = (asked += 1);
  const { promise: echoed, resolve } = Promise.withResolvers<void>();
  const limit = setTimeout(resolve, limitMs);
  waiting.set(id, resolve);
  const unreached = isReached(panel, { type: "echo", id }).then((wasPosted) =>
    wasPosted ? echoed : undefined,
  );
  await Promise.race([echoed, unreached]);
  clearTimeout(limit);
  waiting.delete(id);
}

async function isReached({ webview }: vscode.WebviewPanel, message: Echo | Beat): Promise<boolean> {
  try {
    return await webview.postMessage(message);
  } catch {
    return false;
  }
}
