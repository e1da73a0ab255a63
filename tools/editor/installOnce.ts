import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** Reports progress to the user, one sentence at a time. */
export type Progress = (sentence: string) => void;

/**
 * Creates `folder` if it does not exist. `fill` writes into a temporary folder beside it, which is then renamed, so
 * that an interrupted installation never looks complete. If several runs need the folder, one installs and the others
 * wait. Rejects with the errors of `fill`.
 */
export async function installOnce(
  folder: string,
  what: string,
  progress: Progress,
  fill: (temporary: string) => Promise<void>,
): Promise<string> {
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const release = await takeLock(`${folder}.lock`, () =>
    progress(`Waiting for another run to install ${what} …`),
  );
  const temporary = `${folder}.incomplete`;
  try {
    if (existsSync(folder)) return folder;
    progress(`Installing ${what} …`);
    const started = Date.now();
    rmSync(temporary, { recursive: true, force: true });
    mkdirSync(temporary);
    await fill(temporary);
    renameSync(temporary, folder);
    progress(`Installing ${what} took ${Math.round((Date.now() - started) / 1000)} s.`);
    return folder;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    release();
  }
}

async function takeLock(file: string, onWait: () => void): Promise<() => void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const lock = openSync(file, "wx");
      writeSync(lock, String(process.pid));
      closeSync(lock);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (isAbandoned(file)) {
        rmSync(file, { force: true });
        continue;
      }
      if (attempt === 0) onWait();
      await wait(500);
    }
  }
}

function isAbandoned(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    // The owner has created the file but not written its process id yet.
    if (pid === 0) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
