import { Disposable } from "../desk/disposable.ts";
import { monotonicTimers, type Timers } from "../time/timers.ts";
import { onDidUseRow } from "./commands.ts";

const PAUSE_MS = 1000;
/** How long a row with a tooltip ignores new prices, ms: repainting a row closes its tooltip. */
export const TOOLTIP_MS = 5000;
/** Longer than an input ever waits for the editor, even on a slow computer, ms. */
const LONGEST_WAIT_MS = 10_000;
/** The editor coalesces changes of a list for this time before painting, ms. */
const COALESCE_MS = 200;

const pauses = new Set<PaintPause>();

/** Pauses all lists because an input is about to open. */
export function pauseRows(ms = PAUSE_MS): void {
  for (const pause of pauses) pause.begin(ms);
}

/** Pauses all lists and resolves once the editor has no coalesced changes left to paint. */
export async function rowsSettled(): Promise<void> {
  pauseRows(LONGEST_WAIT_MS);
  await Promise.all([...pauses].map((pause) => pause.settled()));
}

let reads = 0;

/** How often the editor has read rows of any multi-level list. */
export function rowReads(): number {
  return reads;
}

/** Counts a read. The editor reads a list level by level and paints it only after the last one. */
export function noteRowRead(): void {
  reads += 1;
}

/** What starts a pause: an input that opens, or also any use of a row. */
type PauseTrigger = "inputs" | "inputsAndRows";

/**
 * Pauses repainting of rows before each input and, for lists that prices repaint, after each use of a row. When the
 * editor paints a list, it briefly gives the focus back to it, even if a page or an input has just taken it: the input
 * would close, or typed text go elsewhere.
 */
export class PaintPause extends Disposable {
  readonly #timers: Timers;
  readonly #catchUp: () => void;
  #cancel: (() => void) | undefined;
  #hasSkipped = false;
  #repaintAt = -Infinity;

  /** `catchUp` is called at the end of a pause if a repaint was skipped. */
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

  /** Call whenever rows are repainted or refreshed. */
  noteRepaint(): void {
    this.#repaintAt = monotonicTimers.now();
  }

  /** Resolves when the editor has stopped coalescing. */
  async settled(): Promise<void> {
    const left = this.#repaintAt + COALESCE_MS - monotonicTimers.now();
    if (left <= 0) return;
    await new Promise<void>((settled) => monotonicTimers.after(left, settled));
    await this.settled();
  }

  /** Pauses for at most `ms`. */
  begin(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#timers.after(ms, () => this.end());
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (!this.#hasSkipped) return;
    this.#hasSkipped = false;
    this.#catchUp();
  }

  /** Whether rows must not be repainted now; `catchUp` is then called later. */
  isPaused(): boolean {
    if (!this.#cancel) return false;
    this.#hasSkipped = true;
    return true;
  }
}

/** Repaints a list that rarely changes: at once or, after a pause for an input, everything that was skipped. */
export class PausedPainting<Row> extends Disposable {
  readonly #pause: PaintPause;
  readonly #paint: (rows: Row[] | undefined) => void;
  readonly #skippedRows = new Set<Row>();
  #hasSkippedAll = false;

  /** `paint` repaints rows; undefined refreshes all. */
  constructor(timers: Timers, paint: (rows: Row[] | undefined) => void) {
    super();
    this.#paint = paint;
    this.#pause = this.register(new PaintPause(timers, () => this.#paintSkipped(), "inputs"));
  }

  paint(rows: Row[] | undefined): void {
    if (this.#pause.isPaused()) {
      this.#hasSkippedAll ||= rows === undefined;
      for (const row of rows ?? []) this.#skippedRows.add(row);
      return;
    }
    this.#pause.noteRepaint();
    this.#paint(rows);
  }

  /** Repaints what was skipped: the editor can only select rows that it has read. */
  catchUp(): void {
    this.#pause.end();
  }

  #paintSkipped(): void {
    const rows = this.#hasSkippedAll ? undefined : [...this.#skippedRows];
    this.#hasSkippedAll = false;
    this.#skippedRows.clear();
    this.paint(rows);
  }
}
