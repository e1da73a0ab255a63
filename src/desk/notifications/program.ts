import { spawn } from "node:child_process";
import { systemTimers, type After } from "../../time/timers.ts";
import type { ChannelProblem } from "../../storage/channelProblems.ts";
import { type Channel, outsideLimit, type SendOutcome } from "./channel.ts";
import type { Firing } from "./firing.ts";
import type { ChannelMessage } from "./message.ts";

/** A program that runs longer is killed. */
const PROGRAM_MS = 10_000;
const PLACEHOLDER = /\$\{(pair|rule|price|time|text)\}/g;
const FIELDS = ["pair", "rule", "price", "time", "text"] as const;

interface ProgramOptions {
  /** The program and its arguments; empty if there is none. */
  readonly program: () => readonly string[];
  readonly isOn: (firing: Firing) => boolean;
  readonly messageOf: (firing: Firing) => ChannelMessage;
}

/** Runs a program of the user for each firing. */
export function programChannel({ program, isOn, messageOf }: ProgramOptions): Channel {
  return {
    id: "program",
    isOn: (firing) => program().length > 0 && isOn(firing),
    limit: outsideLimit,
    send: async (firing) => await runProgram(program(), messageOf(firing)),
  };
}

/**
 * Runs a program once, without a shell, and waits for its end. In its arguments `${pair}`, `${rule}`, `${price}`, `${time}` and
 * `${text}` are replaced; the same values are in the environment, as `BIDSIDE_PAIR` and so on, for programs that would read an
 * argument as code.
 */
export function runProgram(
  [program = "", ...args]: readonly string[],
  message: ChannelMessage,
  after: After = systemTimers.after,
): Promise<SendOutcome> {
  const filled = args.map((each) =>
    each.replace(PLACEHOLDER, (_, field: (typeof FIELDS)[number]) => message[field]),
  );
  return new Promise((resolve) => {
    const refuse = (problem: ChannelProblem): void => resolve({ kind: "refused", problem });
    try {
      const child = spawn(program, filled, {
        shell: false,
        stdio: "ignore",
        windowsHide: true,
        env: environmentWith(message),
      });
      const cancel = after(PROGRAM_MS, () => {
        refuse({ kind: "programHung" });
        child.kill("SIGKILL");
      });
      child.on("error", () => {
        cancel();
        refuse({ kind: "programMissing" });
      });
      child.on("exit", (code) => {
        cancel();
        if (code === 0) resolve({ kind: "sent" });
        else refuse({ kind: "programFailed", exitCode: code ?? undefined });
      });
    } catch {
      refuse({ kind: "programMissing" });
    }
  });
}

function environmentWith(message: ChannelMessage): NodeJS.ProcessEnv {
  // With the editor's variable, a program made with Electron would start as Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const values = FIELDS.map((field) => [`BIDSIDE_${field.toUpperCase()}`, message[field]]);
  return { ...env, ...Object.fromEntries(values) };
}
