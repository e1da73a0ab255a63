import type { OperatingSystem } from "../files/operatingSystem.ts";
import { NumberedLock } from "../files/numberedLock.ts";
import { replaceFile } from "../files/atomicFiles.ts";

/** Minimum time between two prepared orders. */
export const APART_MS = 10_000;

/** The stored record of a prepared order: the process of its window, the time, and whether it is still in a ticket. */
interface Prepared {
  readonly number: number;
  readonly pid: number;
  readonly at: number;
  readonly isOpen: boolean;
}

export type SlotRefusal = "anotherIsOpen" | "tooSoon";

/** A slot held by this window for its order. Both methods throw if the disk fails. */
export interface HeldSlot {
  /** The order has left the ticket: another may be prepared 10 s after this one. */
  free(): void;
  /** The ticket did not open: releases the slot as if the order had never been prepared. */
  undo(): void;
}

const TEXT = /^(\d{1,12}) (\d{1,16}) (open|gone)$/;

/**
 * The one slot for a prepared order on this computer, shared by all windows: a numbered file per prepared order, of which the
 * highest counts. Only one window can create a number. If its process has died, the slot is free.
 */
export class PreparedSlot {
  readonly #directory: string;
  readonly #lock: NumberedLock;
  readonly #os: OperatingSystem;

  /** `directory` is shared by all windows of this computer, and by no other computer. */
  constructor(directory: string, os: OperatingSystem) {
    this.#directory = directory;
    this.#lock = new NumberedLock(directory, "prepared-", "", os);
    this.#os = os;
  }

  /** Why no order can be prepared at `now` (ms since the epoch); undefined if one can. Throws if the disk fails. */
  refusal(now: number): SlotRefusal | undefined {
    return this.#refusalAfter(this.#last(), now);
  }

  /** Acquires the slot at `now`, or returns the reason it cannot. Throws if the disk fails. */
  take(now: number): HeldSlot | SlotRefusal {
    const last = this.#last();
    const refusal = this.#refusalAfter(last, now);
    if (refusal) return refusal;
    const { pid } = this.#os;
    const number = (last?.number ?? 0) + 1;
    if (!this.#lock.take(number, `${pid} ${now} open`)) return "anotherIsOpen";
    const end = (at: number): void => {
      // A higher number may have replaced this file.
      if (this.#lock.isHeld(number)) replaceFile(this.#lock.pathOf(number), `${pid} ${at} gone`, this.#os);
    };
    return { free: () => end(now), undo: () => end(last?.at ?? 0) };
  }

  #refusalAfter(last: Prepared | undefined, now: number): SlotRefusal | undefined {
    if (!last) return undefined;
    if (last.isOpen && this.#os.isRunning(last.pid)) return "anotherIsOpen";
    const ms = now - last.at;
    // If the clock was set back, the wait must not grow.
    return ms >= 0 && ms < APART_MS ? "tooSoon" : undefined;
  }

  #last(): Prepared | undefined {
    const { files } = this.#os;
    files.mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const number = this.#lock.newest;
    if (number === undefined) return undefined;
    const path = this.#lock.pathOf(number);
    const [, pid, at, state] = TEXT.exec(String(files.readFileSync(path))) ?? [];
    if (pid !== undefined) return { number, pid: Number(pid), at: Number(at), isOpen: state === "open" };
    // Another window is writing the file, or was killed while writing it.
    const madeAt = files.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return { number, pid: 0, at: Math.floor(madeAt), isOpen: false };
  }
}
