import { hasCode } from "./hasCode.ts";

/** Whether a process of this number runs on this computer, of any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
