import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { RELOAD_COMMAND } from "../../protocol/echo.ts";

const builtPages = ["dist", "webview"];

export interface Page {
  /** Folder in `src/webview/` with `page.html`, `page.css` and `page.ts`. */
  readonly name: string;
  /** Replacements for `{{word}}` in the template. */
  readonly words: Readonly<Record<string, string>>;
  /** Passed to the script as JSON. */
  readonly setup: unknown;
}

/**
 * Fills in a page's template. It contains no text from an exchange: that arrives later by message and is set as text.
 * The CSP allows only our own style and script.
 */
export async function pageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { name, words, setup }: Page,
): Promise<string> {
  const file = (...path: string[]): vscode.Uri => vscode.Uri.joinPath(extensionUri, ...builtPages, ...path);
  const nonce = randomBytes(16).toString("base64");
  const source = webview.cspSource;
  const values: Readonly<Record<string, string>> = {
    ...words,
    nonce,
    style: webview.asWebviewUri(file(name, "page.css")).toString(),
    script: webview.asWebviewUri(file(name, "page.js")).toString(),
    policy: `default-src 'none'; style-src ${source}; img-src ${source}; font-src ${source}; script-src 'nonce-${nonce}'`,
    lang: vscode.env.language,
    silent: vscode.l10n.t(
      "Bidside stopped responding. This view is no longer updated and cannot send anything.",
    ),
    reload: vscode.l10n.t("Reload Window"),
    reloadLink: `command:${RELOAD_COMMAND}`,
  };
  const template = new TextDecoder().decode(await vscode.workspace.fs.readFile(file(name, "page.html")));
  const page = template.replace(/\{\{(\w+)\}\}/g, (placeholder, word: string) =>
    word in values ? escapeHtml(values[word] ?? "") : placeholder,
  );
  return page.replace("{{setup}}", () => JSON.stringify(setup).replaceAll("<", "\\u003c"));
}

/** Sets a panel's tab icon, and restricts it to our own files. */
export function preparePanel(panel: vscode.WebviewPanel, extensionUri: vscode.Uri): void {
  const icon = (name: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, "media", name);
  panel.iconPath = { light: icon("bidside-light.svg"), dark: icon("bidside-dark.svg") };
  const localResourceRoots = [vscode.Uri.joinPath(extensionUri, ...builtPages)];
  panel.webview.options = {
    enableScripts: true,
    localResourceRoots,
    enableCommandUris: [RELOAD_COMMAND],
  };
}

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
