import { readBook } from "../../market/book/book.ts";
import { Disposable } from "../disposable.ts";
import type { Timers } from "../time/timers.ts";
import type { Venue } from "../venue.ts";
import type { BookLines } from "./bookLines.ts";
import type { LineNews } from "./bookMessages.ts";
import { BookSamples } from "./bookSamples.ts";
import type { BookSource, BookTarget, BookUpdate } from "./bookSource.ts";
import type { PolledBook } from "./polledBook.ts";

export interface StreamedBookOptions {
  readonly lines: Pick<BookLines, "hear" | "follow" | "restart">;
  /** Proves the stream, and takes its place. */
  readonly polled: Pick<PolledBook, keyof BookSource | "rest">;
  readonly timers: Timers;
  readonly log: { warn(message: string): void };
}

/**
 * `proving`: the frames of the stream are kept aside until a reading agrees. `live`: they are told. `dropped`: the stream
 * disagreed with a reading, and is tried again after a wait.
 */
export type BookPhase = "proving" | "live" | "dropped";

/** A book that was told this long ago may have changed: then it is read. */
const SILENT_MS = 5000;
/** A proof is no proof any more after this time: one reading may fail. */
const LONGEST_PROOF_MS = 90_000;
/** The wait after a disagreement; it doubles up to the longest. */
const DROP_MS = 15_000;
const LONGEST_DROP_MS = 10 * 60_000;

/**
 * Book and trades as they change, over a stream that is proven by readings. Without a stream, and while it is not
 * believed, the readings are told.
 */
export class StreamedBook extends Disposable implements BookSource {
  /** The connections. */
  readonly lines: StreamedBookOptions["lines"];
  readonly #options: StreamedBookOptions;
  #current: ProvenBook | undefined;

  constructor(options: StreamedBookOptions) {
    super();
    this.#options = options;
    this.lines = options.lines;
    this.register(() => this.#current?.dispose());
  }

  /** Undefined while no book is followed. */
  get phase(): BookPhase | undefined {
    return this.#current?.phase;
  }

  /** A stream that no reading can prove is not used. */
  offers(venue: Venue): boolean {
    return this.#options.polled.offers(venue);
  }

  follow(target: BookTarget, tell: (update: BookUpdate) => void): () => void {
    const book = new ProvenBook(this.#options, target, tell);
    this.#current = book;
    return () => {
      book.dispose();
      if (this.#current === book) this.#current = undefined;
    };
  }
}

/** The book of one target. */
class ProvenBook {
  readonly #options: StreamedBookOptions;
  readonly #target: BookTarget;
  readonly #tell: (update: BookUpdate) => void;
  readonly #samples = new BookSamples();
  readonly #stopReading: () => void;
  #stopHearing: (() => void) | undefined;
  #cancelSilence: (() => void) | undefined;
  #cancelRetry: (() => void) | undefined;
  #provenAt = 0;
  /** The reading before showed an earlier book of the stream. */
  #isDoubtful = false;
  #disagreements = 0;
  phase: BookPhase = "proving";

  constructor(options: StreamedBookOptions, target: BookTarget, tell: (update: BookUpdate) => void) {
    this.#options = options;
    this.#target = target;
    this.#tell = tell;
    this.#stopReading = options.polled.follow(target, (update) => this.#takeReading(update));
    this.#hear();
  }

  dispose(): void {
    this.#stopReading();
    this.#stop();
    this.#cancelRetry?.();
  }

  #hear(): void {
    if (!this.#target.venue.profile.features.bookStream) return;
    this.#stopHearing = this.#options.lines.hear(this.#target.named, {
      told: (news) => this.#takeNews(news),
      lost: () => this.#lose(),
    });
  }

  #stop(): void {
    this.#stopHearing?.();
    this.#stopHearing = undefined;
    this.#cancelSilence?.();
    this.#samples.clear();
  }

  #takeNews(news: LineNews): void {
    const { timers } = this.#options;
    const { at, depth } = news;
    if (depth) {
      // A refused book says nothing, and neither does what came before it.
      if (typeof readBook(depth) === "string") return this.#lose();
      this.#samples.note(depth, at);
      this.#watchSilence();
    }
    if (this.phase !== "live") return;
    const provenForMs = timers.now() - this.#provenAt;
    if (provenForMs < 0 || provenForMs > LONGEST_PROOF_MS) this.#unprove();
    else this.#tell(news);
  }

  #takeReading(update: BookUpdate): void {
    const { depth, ...others } = update;
    const isUsable = depth !== undefined && !("error" in depth) && typeof readBook(depth) !== "string";
    const found = isUsable ? this.#samples.compare(depth, update.at) : undefined;
    if (found === "wrong" || (found === "earlier" && this.#isDoubtful)) this.#drop();
    else if (found === "agrees") {
      if (this.#isFresh) this.#prove();
    } else if (found === "earlier") {
      this.#isDoubtful = true;
      this.#unprove();
    } else if (isUsable && this.phase === "live") this.#lose();
    // A stream that is believed outlives a failed reading, and the next one comes soon.
    else if (this.phase === "live") this.#options.polled.rest(false);
    if (this.phase !== "live") this.#tell(update);
    else {
      this.#tell(others);
      const { newest } = this.#samples;
      if (newest) this.#tell(newest);
    }
  }

  get #isFresh(): boolean {
    const ageMs = this.#options.timers.now() - (this.#samples.newest?.at ?? 0);
    return ageMs >= 0 && ageMs < SILENT_MS;
  }

  #prove(): void {
    const { timers, polled, log } = this.#options;
    this.#provenAt = timers.now();
    this.#isDoubtful = false;
    if (this.phase !== "live" && this.#disagreements > 0) log.warn("The book stream agrees again");
    this.phase = "live";
    polled.rest(true);
  }

  /** Nothing that came until now is part of the next proof. */
  #lose(): void {
    this.#samples.clear();
    this.#unprove();
  }

  /** The stream is heard on, and its frames are kept aside. What they told is shown, but no guard uses it. */
  #unprove(): void {
    if (this.phase !== "live") return;
    this.phase = "proving";
    this.#tell({ at: this.#options.timers.now(), expired: true });
    this.#options.polled.rest(false);
  }

  #watchSilence(): void {
    this.#cancelSilence?.();
    // A reading that was requested during the silence would agree with the books from before.
    this.#cancelSilence = this.#options.timers.after(SILENT_MS, () => this.#lose());
  }

  #drop(): void {
    const { timers, log } = this.#options;
    if (this.#disagreements === 0)
      log.warn("The book stream disagrees with a reading: the book is read again");
    const waitMs = Math.min(LONGEST_DROP_MS, DROP_MS * 2 ** Math.min(this.#disagreements, 10));
    this.#disagreements += 1;
    this.#unprove();
    this.#stop();
    this.phase = "dropped";
    this.#isDoubtful = false;
    this.#cancelRetry = timers.after(waitMs, () => {
      this.phase = "proving";
      this.#hear();
    });
  }
}
