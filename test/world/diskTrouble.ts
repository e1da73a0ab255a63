import type { Checks } from "./checks.ts";
import type { Disk, DiskTrouble } from "./disk.ts";
import type { Fault } from "./plan.ts";
import type { Process } from "./process.ts";
import type { Scheduler } from "./scheduler.ts";
import { ORDERS } from "./window.ts";

/** The parts of the world that the faults of a disk need. */
interface Surroundings {
  readonly scheduler: Scheduler;
  readonly disk: Disk;
  readonly checks: Checks;
  readonly isQuiet: boolean;
  strikes(fault: Fault): boolean;
  /** The computer may sleep now, within the steps of an order. */
  maySleep(): void;
  die(process: Process, why: string): never;
}

/** One process's view of the disk: calls that fail, writes that end early, and places to die. */
export function diskTrouble(world: Surroundings): DiskTrouble {
  const { scheduler, disk, checks } = world;
  let unreadable: string | undefined;
  return {
    fails: (call, path) => {
      if (call === "read") {
        if (unreadable === undefined && path.startsWith(ORDERS) && world.strikes("unreadableFile")) {
          unreadable = path;
          scheduler.after(scheduler.between(1000, 30_000), () => (unreadable = undefined));
        }
        return path === unreadable && !world.isQuiet ? "EACCES" : undefined;
      }
      if (call === "sync") return world.strikes("failedSync") ? "EIO" : undefined;
      return (call === "write" || call === "create") && world.strikes("diskFull") ? "ENOSPC" : undefined;
    },
    takes: (path, size, process) => {
      if (world.strikes("shortWrite")) return scheduler.between(1, size);
      if (path.startsWith(ORDERS) && world.strikes("tornWrite")) {
        const half = scheduler.between(0, size);
        const file = disk.files.get(path);
        if (file)
          file.bytes = Buffer.concat([file.bytes, Buffer.from('7 12345678 {"torn"').subarray(0, half)]);
        world.die(process, "within a write");
      }
      return size;
    },
    done: (call, path, process) => {
      const [, group, number] = /([^/]+)\/lead-(\d+)$/.exec(path) ?? [];
      if (call === "create" && group !== undefined) {
        checks.leaseTaken(process.pid, group, Number(number));
        if (world.strikes("afterLease")) world.die(process, "after its lease");
      }
      if (call !== "sync" || !path.startsWith(`${ORDERS}/orders-`)) return;
      if (world.strikes("afterIntent")) world.die(process, "after a record");
      world.maySleep();
    },
  };
}
