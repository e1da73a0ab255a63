import { join } from "node:path";
import type { EditorOutcome } from "../../test/editor/suite.ts";
import { root } from "../paths.ts";
import { outcomeIn, suiteModule } from "../test/outcomeFile.ts";
import type { SuiteChoice } from "../test/suiteChoice.ts";
import type { Progress } from "./installOnce.ts";
import { openBrowser } from "./openBrowser.ts";
import { startServerEditor } from "./serverEditor.ts";

/** Longer than any suite takes, so that an editor that hangs does not hang the build. */
const LIMIT_MS = 180_000;

/**
 * Runs the editor suite in VS Code's server, with a headless browser for its workbench. `inspect`: the port at which
 * the extension host waits for a debugger. Throws an error with the output of server and suite if the suite ends
 * without an outcome.
 */
export async function launchServer(
  progress: Progress,
  choice: SuiteChoice,
  inspect?: number,
): Promise<EditorOutcome> {
  return await outcomeIn(choice, async (_, env) => {
    const editor = await startServerEditor({ progress, driver: true, isLean: true, env });
    try {
      const browser = await openBrowser(progress);
      const log: string[] = [];
      try {
        const page = await browser.newPage();
        const ended = new Promise<void>(
          (done) => void page.exposeFunction("codeAutomationExit", () => done()),
        );
        await page.exposeFunction("codeAutomationLog", (_type: string, args: unknown[]) =>
          log.push(args.join(" ")),
        );
        await page.goto(suiteUrl(editor.url, editor.port, join(editor.userDataDir, "workspace"), inspect));
        const limit = AbortSignal.timeout(LIMIT_MS);
        const late = new Promise((done) => limit.addEventListener("abort", done));
        await (inspect === undefined ? Promise.race([ended, late]) : ended);
      } finally {
        await browser.close();
      }
      return `${log.join("\n")}\nOutput of the server:\n${editor.output()}`;
    } finally {
      await editor.stop();
    }
  });
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
