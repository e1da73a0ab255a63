import { hasCode } from "./hasCode.ts";

/** Whether a process with this id runs on this computer, under any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
