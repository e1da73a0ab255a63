import type { Computer } from "../files/computer.ts";
import { NumberedLock } from "../files/numberedLock.ts";
import { replaceFile } from "../files/wholeFile.ts";

/** Time from one prepared order to the next. */
export const APART_MS = 10_000;

/** A prepared order by its record: the process of its window, when it was prepared, and whether a ticket has it. */
interface Prepared {
  readonly number: number;
  readonly pid: number;
  readonly at: number;
  readonly isOpen: boolean;
}

/** Why the place cannot be taken. */
export type PlaceRefusal = "anotherIsOpen" | "tooSoon";

/** The place that a window took for its order. Both throw if the disk fails. */
export interface TakenPlace {
  /** No ticket has the order any more: the next one may come, 10 s after this one. */
  free(): void;
  /** No ticket opened: as if the order was never prepared. */
  undo(): void;
}

const TEXT = /^(\d{1,12}) (\d{1,16}) (open|gone)$/;

/**
 * The one place for a prepared order on this computer, for all windows: a file with a number for each prepared order, of
 * which the highest counts. A number is taken by one window only. The order of a window that was killed is gone.
 */
export class PreparedPlace {
  readonly #directory: string;
  readonly #lock: NumberedLock;
  readonly #computer: Computer;

  /** `directory` is the same for all windows of the computer, and of no other computer. */
  constructor(directory: string, computer: Computer) {
    this.#directory = directory;
    this.#lock = new NumberedLock(directory, "prepared-", "", computer);
    this.#computer = computer;
  }

  /** Why no order can be prepared at `now` (ms since the epoch); undefined if one can. Throws if the disk fails. */
  refusal(now: number): PlaceRefusal | undefined {
    return this.#refusalAfter(this.#last(), now);
  }

  /** Takes the place at `now`, or says why not. Throws if the disk fails. */
  take(now: number): TakenPlace | PlaceRefusal {
    const last = this.#last();
    const refusal = this.#refusalAfter(last, now);
    if (refusal) return refusal;
    const { pid } = this.#computer;
    const number = (last?.number ?? 0) + 1;
    if (!this.#lock.take(number, `${pid} ${now} open`)) return "anotherIsOpen";
    const end = (at: number): void => {
      // A later number may have removed this one.
      if (this.#lock.isHeld(number))
        replaceFile(this.#lock.pathOf(number), `${pid} ${at} gone`, this.#computer);
    };
    return { free: () => end(now), undo: () => end(last?.at ?? 0) };
  }

  #refusalAfter(last: Prepared | undefined, now: number): PlaceRefusal | undefined {
    if (!last) return undefined;
    if (last.isOpen && this.#computer.isRunning(last.pid)) return "anotherIsOpen";
    const ms = now - last.at;
    // A clock that was set back must not make the wait longer.
    return ms >= 0 && ms < APART_MS ? "tooSoon" : undefined;
  }

  #last(): Prepared | undefined {
    const { files } = this.#computer;
    files.mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const number = this.#lock.newest;
    if (number === undefined) return undefined;
    const path = this.#lock.pathOf(number);
    const [, pid, at, state] = TEXT.exec(String(files.readFileSync(path))) ?? [];
    if (pid !== undefined) return { number, pid: Number(pid), at: Number(at), isOpen: state === "open" };
    // Another window writes the file right now, or was killed while it did.
    const madeAt = files.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return { number, pid: 0, at: Math.floor(madeAt), isOpen: false };
  }
}
