import type * as vscode from "vscode";
import { isEcho } from "../../protocol/echo.ts";

interface OpenPage {
  readonly panel: vscode.WebviewPanel;
  /** The callers that wait for each echo. */
  readonly waiting: Map<number, () => void>;
}

const open = new Set<OpenPage>();
let asked = 0;

/** Passes on the messages of a panel's page, except for its echoes. */
export function onPageMessage(
  panel: vscode.WebviewPanel,
  receive: (message: unknown) => void,
): vscode.Disposable {
  const page: OpenPage = { panel, waiting: new Map() };
  const waitNoLonger = (): void => {
    for (const done of page.waiting.values()) done();
    page.waiting.clear();
  };
  open.add(page);
  panel.onDidDispose(() => {
    open.delete(page);
    waitNoLonger();
  });
  // The editor destroys a hidden page: it sends no echo and cannot take the focus.
  panel.onDidChangeViewState(() => {
    if (!panel.visible) waitNoLonger();
  });
  return panel.webview.onDidReceiveMessage((message: unknown) => {
    if (isEcho(message)) page.waiting.get(message.id)?.();
    else receive(message);
  });
}

/** Resolves when every visible page of Bidside has handled the editor's earlier messages, or was closed. */
export async function pagesHaveCaughtUp(): Promise<void> {
  const shown = [...open].filter(({ panel }) => panel.visible);
  await Promise.all(shown.map(echo));
}

function echo({ panel, waiting }: OpenPage): Promise<void> {
  const id = (asked += 1);
  return new Promise((done) => {
    waiting.set(id, () => {
      waiting.delete(id);
      done();
    });
    void panel.webview.postMessage({ type: "echo", id });
  });
}
