import { Disposable } from "../desk/disposable.ts";
import { monotonicTimers, type Timers } from "../desk/time/timers.ts";
import { onDidUseRow } from "./commands.ts";

const PAUSE_MS = 1000;
/** Longer than an input waits for the editor, also on a slow computer, in ms. */
const LONGEST_WAIT_MS = 10_000;
/** The editor gathers the changes of a list for this time in ms before it paints them. */
const COALESCE_MS = 200;

const pauses = new Set<PaintPause>();

/** Begins a pause in all lists, because an input opens. */
export function pauseRows(ms = PAUSE_MS): void {
  for (const pause of pauses) pause.begin(ms);
}

/** The same, until the input opens. Resolves when the editor gathers nothing any more that it was told to paint, in any list. */
export async function rowsSettled(): Promise<void> {
  pauseRows(LONGEST_WAIT_MS);
  await Promise.all([...pauses].map((pause) => pause.settled()));
}

let reads = 0;

/** How often the editor has read rows so far, of any list with several levels. */
export function rowReads(): number {
  return reads;
}

/** The editor reads rows. It reads a list again level by level, and has painted the list only after the last one. */
export function noteRowRead(): void {
  reads += 1;
}

/** What begins a pause: an input that opens, or also each use of a row. */
type PauseTrigger = "inputs" | "inputsAndRows";

/**
 * A pause in the painting of rows, before each input and, where prices paint, from each use of a row. The editor gives the focus back to a list
 * that it painted, for a moment also if a page or an input has just taken the focus: an input without focus closes, or the next
 * typed text goes elsewhere.
 */
export class PaintPause extends Disposable {
  readonly #timers: Timers;
  readonly #catchUp: () => void;
  #cancel: (() => void) | undefined;
  #isMissed = false;
  #repaintAt = -Infinity;

  /** `catchUp` is called at the end of a pause in which something was not painted. */
  constructor(timers: Timers, catchUp: () => void, trigger: PauseTrigger = "inputsAndRows") {
    super();
    this.#timers = timers;
    this.#catchUp = catchUp;
    pauses.add(this);
    this.register(
      () => pauses.delete(this),
      onDidUseRow(() => trigger === "inputsAndRows" && this.begin(PAUSE_MS)),
      () => this.#cancel?.(),
    );
  }

  /** Notes that the editor was told to paint rows, or to read them again. */
  noteRepaint(): void {
    this.#repaintAt = monotonicTimers.now();
  }

  /** Resolves when the editor no longer gathers what it was told, by its own clock. */
  async settled(): Promise<void> {
    const left = this.#repaintAt + COALESCE_MS - monotonicTimers.now();
    if (left <= 0) return;
    await new Promise<void>((settled) => monotonicTimers.after(left, settled));
    await this.settled();
  }

  /** Pauses from now on, for this time in ms at most. */
  begin(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#timers.after(ms, () => this.end());
  }

  /** Ends the pause, if there is one. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (!this.#isMissed) return;
    this.#isMissed = false;
    this.#catchUp();
  }

  /** Whether rows must not be painted now. Then `catchUp` is called later. */
  isPaused(): boolean {
    if (!this.#cancel) return false;
    this.#isMissed = true;
    return true;
  }
}

/** The painting of a list that seldom changes: at once, or after the pause for an input all that was missed. */
export class PausedPainting<Row> extends Disposable {
  readonly #pause: PaintPause;
  readonly #paint: (rows: Row[] | undefined) => void;
  readonly #missed = new Set<Row>();
  #areAllMissed = false;

  /** `paint` paints these rows; undefined: all rows are read again. */
  constructor(timers: Timers, paint: (rows: Row[] | undefined) => void) {
    super();
    this.#paint = paint;
    this.#pause = this.register(new PaintPause(timers, () => this.#paintMissed(), "inputs"));
  }

  paint(rows: Row[] | undefined): void {
    if (this.#pause.isPaused()) {
      this.#areAllMissed ||= rows === undefined;
      for (const row of rows ?? []) this.#missed.add(row);
      return;
    }
    this.#pause.noteRepaint();
    this.#paint(rows);
  }

  /** Paints what was missed now: the editor can select no row that it has not read. */
  catchUp(): void {
    this.#pause.end();
  }

  #paintMissed(): void {
    const rows = this.#areAllMissed ? undefined : [...this.#missed];
    this.#areAllMissed = false;
    this.#missed.clear();
    this.paint(rows);
  }
}
