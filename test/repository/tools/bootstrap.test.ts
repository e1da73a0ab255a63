import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

/** How long the registry may take in these tests, in ms. */
const REGISTRY_MS = 1000;

describe("A first run without a network", () => {
  let folder: string;
  let deaf: Server | undefined;

  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(join(folder, "tools"), { recursive: true });
    for (const file of ["package.json", "package-lock.json", "tools/bootstrap.mjs", "tools/npm.mjs"])
      cpSync(file, join(folder, file));
  });
  afterEach(() => {
    deaf?.close();
    deaf = undefined;
  });

  /** Starts the project's first command with a registry on a port of this computer, and without an npm cache. */
  async function firstRun(port: number): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, ["tools/bootstrap.mjs", "nothing.ts"], {
      cwd: folder,
      env: {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_cache: join(folder, "cache"),
        BIDSIDE_REGISTRY_MS: String(REGISTRY_MS),
      },
      timeout: 300_000,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text: Buffer) => (output += text.toString()));
    const code = await new Promise<number | null>((done) => child.on("close", done));
    return { code, output };
  }

  const words =
    /^Installing the tools \(npm ci\) …\nThe npm registry does not answer\. Trying the packages .*\nThe tools could not be installed\. The npm registry does not answer, .*\nCheck the network/;

  it("ends by itself and says what to do when the registry never answers", async () => {
    deaf = createServer((socket) => socket.on("error", () => undefined)).listen(0, "127.0.0.1");
    await new Promise((resolve) => deaf?.once("listening", resolve));
    const { code, output } = await firstRun((deaf.address() as AddressInfo).port);
    assert.match(output, words);
    assert.match(output, /npm's output: none within 1 s/);
    assert.equal(code, 1);
  });

  it("says at once that the registry cannot be reached", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => closed.once("listening", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const { code, output } = await firstRun(port);
    assert.match(output, words);
    assert.equal(code, 1);
  });
});
