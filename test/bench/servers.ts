import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A script in a separate process, and its first line of output. */
export interface BenchServer<Line = Readonly<Record<string, string>>> {
  readonly hello: Line;
  /** Sends a line of input, and waits for the next line of output. */
  ask(text: string): Promise<Line>;
  stop(): Promise<void>;
}

/** Starts a script of this project and waits for its first line. Each line is one JSON object. */
export async function startServer<Line = Readonly<Record<string, string>>>(
  script: string,
  ...args: string[]
): Promise<BenchServer<Line>> {
  const child = spawn(process.execPath, ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", script, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines = createInterface(child.stdout);
  const next = (): Promise<Line> =>
    new Promise((resolve, reject) => {
      const end = (code: number | null): void => reject(new Error(`${script} ended with ${code}`));
      child.once("exit", end);
      lines.once("line", (line) => {
        child.off("exit", end);
        resolve(JSON.parse(line) as Line);
      });
    });
  return {
    hello: await next(),
    ask: (text) => {
      const answer = next();
      child.stdin.write(`${text}\n`);
      return answer;
    },
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}
