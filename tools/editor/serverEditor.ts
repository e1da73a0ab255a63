import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startLimit } from "../test/machineSpeed.ts";
import { installExtensions } from "./installExtensions.ts";
import type { Progress } from "./installOnce.ts";
import { installServer } from "./installServer.ts";
import { startGroup, type ProcessGroup } from "./processGroup.ts";
import { calmSettings } from "./quietSettings.ts";

export interface ServerEditor {
  /** `http://127.0.0.1:PORT/`, the address of the workbench. */
  readonly url: string;
  readonly port: number;
  /** The server's data folder, removed by `stop`. It contains an empty folder to open, `workspace`. */
  readonly userDataDir: string;
  /** The server's output so far, which helps after a failure. */
  output(): string;
  /** Resolves when the server exits, for whatever reason. */
  readonly exited: Promise<number | null>;
  /** Kills the server with SIGKILL, and starts it again after `change`, on the same port with the same data. */
  killAndRestart(change: () => void): Promise<void>;
  /** Ends all of the server's processes and removes its folder. */
  stop(): Promise<void>;
}

export interface ServerEditorOptions {
  readonly progress: Progress;
  /** Packaged extensions to install first. */
  readonly vsixes?: readonly string[];
  /** Default: any free port. */
  readonly port?: number;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Enables the server's test driver, which test suites need. */
  readonly driver?: boolean;
  /** Opens folders as untrusted, in Restricted Mode. */
  readonly isRestricted?: boolean;
  /**
   * Starts with only the editor's themes and icons, because other built-in extensions would start first in each window.
   */
  readonly isLean?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

const quiet = [
  "--host=127.0.0.1",
  "--without-connection-token",
  "--disable-update-check",
  "--disable-getting-started-override",
];

/** How long a server may take to start on an idle machine, in ms. */
const START_MS = 60_000;

/** Built-in extensions of a lean editor. */
const LEAN = ["theme-defaults", "theme-seti"];

/** Another program uses the port. `message` is for the user. */
export class PortTakenError extends Error {
  override readonly name = "PortTakenError";
}

/**
 * Installs VS Code's server if needed, and starts it on loopback with a temporary data folder. Throws PortTakenError if
 * `port` is in use, or an error with the server's output if it does not start.
 */
export async function startServerEditor(options: ServerEditorOptions): Promise<ServerEditor> {
  const script = await installServer(options.progress);
  const port = await freePort(options.port ?? 0);
  const userDataDir = mkdtempSync(join(tmpdir(), "bidside-editor-"));
  const extensionsDir = join(userDataDir, "extensions");
  const builtIn = join(userDataDir, "built-in");
  if (options.isLean === true)
    for (const each of LEAN)
      cpSync(join(resolve(script, "../../extensions"), each), join(builtIn, each), { recursive: true });
  const common = [script, "--accept-server-license-terms", "--telemetry-level", "off"];
  const env = {
    ...process.env,
    // No gallery, so that no request leaves the computer.
    EXTENSIONS_GALLERY: "{}",
    // Times of day look the same on every computer.
    LC_ALL: "en_US.UTF-8",
    // Keeps the extension's records out of the home folder of the user who runs this.
    XDG_DATA_HOME: join(userDataDir, "data-home"),
    ...options.env,
  };

  const launch = async (): Promise<ProcessGroup> => {
    const server = startGroup(
      process.execPath,
      [
        ...common,
        "--user-data-dir",
        userDataDir,
        "--server-data-dir",
        userDataDir,
        "--extensions-dir",
        extensionsDir,
        ...quiet,
        "--port",
        String(port),
        ...(options.driver === true ? ["--enable-smoke-test-driver"] : []),
        ...(options.isLean === true ? ["--builtin-extensions-dir", builtIn] : []),
        ...(options.isRestricted === true ? [] : ["--disable-workspace-trust"]),
      ],
      { env },
    );
    await listening(server);
    return server;
  };

  let server: ProcessGroup | undefined;
  try {
    mkdirSync(join(userDataDir, "workspace"));
    const restricted = options.isRestricted === true && {
      "security.workspace.trust.enabled": true,
      "security.workspace.trust.startupPrompt": "never",
    };
    const settings = JSON.stringify({ ...calmSettings, ...restricted, ...options.settings }, undefined, 2);
    mkdirSync(join(userDataDir, "User"));
    writeFileSync(join(userDataDir, "User", "settings.json"), settings);
    const { vsixes = [] } = options;
    mkdirSync(extensionsDir);
    if (vsixes.length > 0) {
      const installed = await installExtensions(vsixes, { args: common, env }, options.progress);
      cpSync(installed, extensionsDir, { recursive: true });
    }
    server = await launch();
  } catch (error) {
    await server?.stop();
    rmSync(userDataDir, { recursive: true, force: true });
    throw error;
  }
  let current = server;
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    userDataDir,
    output: () => current.output(),
    get exited() {
      return current.exited;
    },
    killAndRestart: async (change) => {
      await current.kill();
      change();
      current = await launch();
    },
    stop: async () => {
      await current.stop();
      rmSync(userDataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function listening(server: ProcessGroup): Promise<void> {
  const up = new Promise<"up">((done) => {
    server.child.stdout?.on("data", () => {
      if (server.output().includes("Web UI available")) done("up");
    });
  });
  let cancel = (): void => undefined;
  const late = new Promise<"late">((done) => (cancel = startLimit(START_MS, () => done("late"))));
  const result = await Promise.race([up, late, server.exited]);
  cancel();
  if (result === "up") return;
  await server.stop();
  throw new Error(`VS Code's server did not start. Its output:\n${server.output()}`);
}

/** Returns `wanted` if it is free on loopback, or any free port for 0. Throws PortTakenError. */
export async function freePort(wanted: number): Promise<number> {
  const probe = createServer();
  return new Promise((done, fail) => {
    probe.on("error", (error: NodeJS.ErrnoException) =>
      fail(
        error.code === "EADDRINUSE"
          ? new PortTakenError(`Port ${wanted} is taken. Choose another with --port.`)
          : error,
      ),
    );
    probe.listen(wanted, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}
