import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A server in a separate process, and its first line of output. */
export interface BenchServer {
  readonly hello: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts a script of this project and waits for its first line, one JSON object. */
export async function startServer(script: string, ...args: string[]): Promise<BenchServer> {
  const child = spawn(process.execPath, ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const first = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`${script} ended with ${code} before it was up`)));
  });
  return {
    hello: JSON.parse(first) as Record<string, string>,
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}
