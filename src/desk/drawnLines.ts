import type { DrawnLine, LineShape } from "../market/drawnLine.ts";
import type { LineFiles } from "../storage/lineFiles.ts";
import { Event } from "./event.ts";
import type { CurrentVenue } from "./venue.ts";

interface DrawnLinesOptions {
  /** Opens the lines of all windows of this computer, when the first chart needs them. */
  readonly open: () => LineFiles;
  readonly venue: CurrentVenue;
  readonly newId: () => string;
  /** Called with errors of reading. */
  readonly onError: (error: unknown) => void;
}

/** Maximum number of lines of a pair: more would hide its candles. */
export const MAX_LINES = 50;

/** The pair has MAX_LINES lines, or no exchange is open. */
export class LineRefusedError extends Error {
  override readonly name = "LineRefusedError";
}

/** The lines that the user drew in charts. Each belongs to a pair of an exchange, whichever account is active there. */
export class DrawnLines {
  readonly #options: DrawnLinesOptions;
  readonly #changed = new Event<void>();
  readonly #written = new Event<void>();
  #opened: LineFiles | undefined;
  #lines: ReadonlyMap<string, DrawnLine> | undefined;

  readonly onDidChange = this.#changed.add;
  /** Fires when this window wrote or removed a line, which the other windows must reload. */
  readonly onDidWrite = this.#written.add;

  constructor(options: DrawnLinesOptions) {
    this.#options = options;
  }

  /** The lines of a pair of the current exchange. */
  of(symbol: string): readonly DrawnLine[] {
    const { venue } = this.#options.venue;
    if (!venue) return [];
    return [...this.#all().values()].filter(
      (line) =>
        line.symbol === symbol &&
        line.venue === venue.ref.venue &&
        (venue.addressMayChange || line.origin === venue.ref.origin),
    );
  }

  /** Reads the records of all windows. */
  reread(): void {
    // Nothing shows them yet.
    if (!this.#lines) return;
    this.#lines = undefined;
    this.#changed.fire();
  }

  /** Adds a line without a name. Throws a LineRefusedError, or the store's error if the line cannot be stored. */
  draw(symbol: string, shape: LineShape): void {
    const { venue, newId } = this.#options;
    if (!venue.venue || this.of(symbol).length >= MAX_LINES) throw new LineRefusedError();
    const { venue: kind, origin } = venue.venue.ref;
    this.#put({ id: newId(), venue: kind, origin, symbol, name: "", shape });
  }

  /** Changes a line unless it was removed. Throws the store's error if the change cannot be stored. */
  change(id: string, change: Partial<Pick<DrawnLine, "name" | "shape">>): void {
    const line = this.#store.read(id);
    if (line) this.#put({ ...line, ...change });
    else this.reread();
  }

  /** Throws the store's error if the line cannot be removed. */
  remove(id: string): void {
    this.#store.remove(id);
    this.#wrote();
  }

  get #store(): LineFiles {
    return (this.#opened ??= this.#options.open());
  }

  #all(): ReadonlyMap<string, DrawnLine> {
    if (this.#lines) return this.#lines;
    try {
      this.#lines = new Map(this.#store.list().map((line) => [line.id, line]));
    } catch (error) {
      this.#options.onError(error);
      this.#lines = new Map();
    }
    return this.#lines;
  }

  #put(line: DrawnLine): void {
    this.#store.put(line);
    this.#wrote();
  }

  #wrote(): void {
    this.#lines = undefined;
    this.#written.fire();
    this.#changed.fire();
  }
}
