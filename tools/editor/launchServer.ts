import { join } from "node:path";
import { root, suiteModule } from "../paths.ts";
import type { Progress } from "./installOnce.ts";
import { openBrowser } from "./openBrowser.ts";
import { startServerEditor } from "./serverEditor.ts";

/**
 * Runs the editor suite in VS Code's server, with a headless browser for its workbench, until the suite has ended.
 * Returns the editor's output. `inspect`: the port at which the extension host waits for a debugger.
 */
export async function launchServer(progress: Progress, inspect?: number): Promise<string> {
  const editor = await startServerEditor({ progress, driver: true, isLean: true });
  try {
    const browser = await openBrowser(progress);
    const log: string[] = [];
    try {
      const page = await browser.newPage();
      const ended = new Promise<void>((done) => void page.exposeFunction("codeAutomationExit", () => done()));
      await page.exposeFunction("codeAutomationLog", (_type: string, args: unknown[]) =>
        log.push(args.join(" ")),
      );
      await page.goto(suiteUrl(editor.url, editor.port, join(editor.userDataDir, "workspace"), inspect));
      await ended;
    } finally {
      await browser.close();
    }
    return `${log.join("\n")}\nOutput of the server:\n${editor.output()}`;
  } finally {
    await editor.stop();
  }
}

function suiteUrl(url: string, port: number, workspace: string, inspect?: number): string {
  const remote = (path: string): string => `vscode-remote://127.0.0.1:${port}${path}`;
  const payload = [
    ["extensionDevelopmentPath", remote(root)],
    ["extensionTestsPath", remote(suiteModule)],
    ["enableProposedApi", ""],
    ["skipWelcome", "true"],
    ...(inspect === undefined ? [] : [["inspect-brk-extensions", String(inspect)]]),
  ];
  return `${url}?folder=${encodeURIComponent(workspace)}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}
