import { type OperatingSystem, thisSystem } from "../files/operatingSystem.ts";
import { type Call, reply, type CallReply } from "./calls.ts";
import { HubConnection } from "./connection.ts";
import { runningIpcServers } from "./ipcServerFiles.ts";
import { addressOf } from "./socketPath.ts";
import type { Timers } from "../time/timers.ts";
import { loadToken, type Token } from "./token.ts";

/** The outcome of a call: a reply, no window to call, or a window that did not reply. */
export type CallOutcome = Omit<CallReply, "type"> | "noWindow" | "noReply";

const REPLY_MS = 45_000;

interface CallerOptions {
  readonly directory: string;
  readonly timers: Timers;
  readonly os?: OperatingSystem;
}

/**
 * Calls a tool in the window in front. Another window is tried only while nothing was sent, so a call reaches at most one. Never
 * rejects.
 */
export async function callWindow(
  { directory, timers, os = thisSystem }: CallerOptions,
  message: Omit<Call, "type">,
): Promise<CallOutcome> {
  const token = loadToken(directory, os);
  if (!token) return "noWindow";
  for (const name of serverNames(directory, os)) {
    const outcome = await callIpcServer(token, name, { timers, os }, { type: "call", ...message });
    if (outcome !== "noWindow") return outcome;
  }
  return "noWindow";
}

function serverNames(directory: string, os: OperatingSystem): readonly string[] {
  try {
    return runningIpcServers(directory, os);
  } catch {
    return [];
  }
}

function callIpcServer(
  token: Token,
  name: string,
  { timers, os }: Required<Omit<CallerOptions, "directory">>,
  message: Call,
): Promise<CallOutcome> {
  return new Promise((resolve) => {
    let isSent = false;
    let cancelLimit: (() => void) | undefined;
    const connection: HubConnection<CallReply, Call> = new HubConnection(
      os.connect(addressOf(token, name, os)),
      token,
      "caller",
      timers,
      {
        schema: reply,
        opened: () => {
          isSent = true;
          connection.send(message);
          cancelLimit = timers.after(REPLY_MS, () => connection.close());
        },
        received: ({ text, isError }) => {
          resolve({ text, isError });
          connection.close();
        },
        closed: () => {
          cancelLimit?.();
          resolve(isSent ? "noReply" : "noWindow");
        },
      },
    );
  });
}
