import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { freePort } from "../../tools/editor/serverEditor.ts";
import { root } from "../../tools/paths.ts";
import { within } from "../../tools/test/story.ts";
import { isFull } from "../support/rounds.ts";

/** Runs `npm start` as a terminal does: at the head of a process group, which gets the signal of Ctrl-C. */
function npmStart(port: number) {
  const args = ["tools/bootstrap.mjs", "tools/start.ts", "--editor", "server", "--port", String(port)];
  const child = spawn(process.execPath, args, {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = new Promise<{ code: number | null; output: string }>((done) =>
    // "close" comes when all processes that could still write have ended, the server included.
    child.on("close", (code) => done({ code, output })),
  );
  const open = new Promise<string>((done) =>
    child.stdout.on("data", (text) => {
      output += text;
      const url = /^Bidside is open at (http:\S+)$/m.exec(output)?.[1];
      if (url !== undefined) done(url);
    }),
  );
  child.stderr.on("data", (text) => (output += text));
  return { pid: child.pid ?? 0, open, ended };
}

function processesNaming(text: string): string[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid,args"], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes(text));
}

describe("npm start", () => {
  // Ctrl-C, and the end that another program asks for.
  for (const signal of isFull() ? (["SIGINT", "SIGTERM"] as const) : (["SIGINT"] as const))
    it(`opens Bidside at the printed URL, and leaves no process behind after ${signal}`, async () => {
      if (process.platform === "win32") return;
      const port = await freePort(0);
      const { pid, open, ended } = npmStart(port);
      const url = await within("start from the command line", () =>
        Promise.race([open, ended.then(({ output }) => assert.fail(output))]),
      );
      assert.equal(url, `http://127.0.0.1:${port}/`);
      assert.equal((await fetch(url)).status, 200);
      assert.notDeepEqual(processesNaming(`--port ${port}`), []);
      process.kill(-pid, signal);
      assert.equal((await ended).code, 0);
      assert.deepEqual(processesNaming(`--port ${port}`), []);
    });

  it("says in one sentence that a port is taken", async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
    try {
      const { port } = other.address() as { port: number };
      const { code, output } = await npmStart(port).ended;
      assert.deepEqual(
        { code, output },
        { code: 2, output: `Port ${port} is taken. Choose another with --port.\n` },
      );
    } finally {
      other.close();
    }
  });
});
