/**
 * A measurement: ms to add to the local clock, at most a round trip and the resolution less than the true difference; and
 * when it was made on that clock.
 */
export interface ClockSample {
  readonly offset: number;
  readonly at: number;
}

const MAX_AGE_MS = 5 * 60_000;
/** No request takes longer. If one seems to, the computer slept, and the measurement is of no use. */
const LONGEST_ROUND_TRIP_MS = 10_000;

/** The exchange's clock, as an offset from the local clock. */
export class ServerClock {
  readonly #measure: () => Promise<number>;
  readonly #now: () => number;
  #sample: ClockSample | undefined;
  #running: Promise<number> | undefined;
  #timesForgotten = 0;
  #forgottenAt = Number.NEGATIVE_INFINITY;

  /** `measure`: the exchange's time, rounded down. `now`: the local clock. Both in ms since the epoch. */
  constructor(parts: { measure: () => Promise<number>; now: () => number }) {
    this.#measure = parts.measure;
    this.#now = parts.now;
  }

  /** The latest measurement; undefined before the first. */
  get sample(): ClockSample | undefined {
    return this.#sample;
  }

  /** Adopts a measurement of another process on this computer if it is newer than ours and than the last `forget`. */
  adopt({ offset, at }: ClockSample): void {
    const now = this.#now();
    if (at > (this.#sample?.at ?? this.#forgottenAt) && at <= now) this.#sample = { offset, at };
  }

  /**
   * Whether the offset is good enough to sign with: less than five minutes old, local clock not set back, and no new
   * measurement running.
   */
  get isFresh(): boolean {
    if (!this.#sample || this.#running) return false;
    const age = this.#now() - this.#sample.at;
    return age >= 0 && age < MAX_AGE_MS;
  }

  /**
   * Measures now and resolves to the offset. Concurrent callers share one measurement. Rejects with the error of `measure`.
   */
  refresh(): Promise<number> {
    this.#running ??= this.#measureOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Measures if the offset is not fresh. If that fails, an older offset is used; without one, rejects. */
  async ready(): Promise<void> {
    if (this.isFresh) return;
    try {
      await this.refresh();
    } catch (error) {
      if (!this.#sample) throw error;
    }
  }

  /** The local clock may have jumped: invalidates all measurements, finished or running. */
  forget(): void {
    this.#sample = undefined;
    this.#timesForgotten += 1;
    this.#forgottenAt = this.#now();
  }

  /** Server time in whole ms; undefined without a valid measurement. */
  serverNow(): number | undefined {
    return this.#sample && Math.round(this.#now() + this.#sample.offset);
  }

  async #measureOnce(): Promise<number> {
    const timesBefore = this.#timesForgotten;
    const sentAt = this.#now();
    const serverMs = await this.#measure();
    const receivedAt = this.#now();
    const isForgotten = this.#timesForgotten !== timesBefore;
    if (isForgotten || receivedAt - sentAt > LONGEST_ROUND_TRIP_MS) return this.#measureOnce();
    // Where in the round trip the exchange read its clock is unknown, and exchanges reject timestamps ahead of it: so the
    // earliest possible time is used, as if it had read the clock at the moment its response arrived.
    this.#sample = { offset: serverMs - receivedAt, at: receivedAt };
    return this.#sample.offset;
  }
}
