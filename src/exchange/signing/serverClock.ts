/** One reading of the exchange's clock. */
export interface ServerTime {
  /** Ms since the epoch. */
  readonly serverMs: number;
  /** 1000 if the exchange counts whole seconds, 1 if it counts ms. */
  readonly resolutionMs: number;
}

/** The result of a measurement: ms to add to the local clock, and its time on the local clock. */
export interface ClockReading {
  readonly offset: number;
  readonly at: number;
}

/** The exchange's clock, as an offset from this computer's clock. */
export interface ServerClock {
  /** Ms to add to the local clock; undefined before the first measurement. */
  readonly offset: number | undefined;
  /** The newest measurement. */
  readonly reading: ClockReading | undefined;
  /**
   * Takes a measurement of another process on this computer, if it is newer than this one's and newer than the last
   * `forget`.
   */
  adopt(reading: ClockReading): void;
  /**
   * Whether the offset is good enough to sign with: less than five minutes old, the local clock has not gone back,
   * and the offset is not in doubt and not being measured again.
   */
  readonly fresh: boolean;
  /**
   * Measures now and resolves to the offset. Simultaneous callers share one measurement. Rejects with the error of
   * `measure`.
   */
  refresh(): Promise<number>;
  /** Measures if the offset is not fresh. If that fails, an older offset is used; without one it rejects. */
  ready(): Promise<void>;
  /** The local clock may have jumped: no measurement so far, finished or running, is valid. */
  forget(): void;
  /** Server time in whole ms; undefined without a valid measurement. */
  serverNow(): number | undefined;
}

const MAX_AGE_MS = 5 * 60_000;
/** No request takes longer. If it does, the computer slept, and half of the time says nothing about the way. */
const LONGEST_ROUND_TRIP_MS = 10_000;

/** `now` is the local clock, ms since the epoch; it may call `forget`. */
export function createServerClock(parts: {
  measure: () => Promise<ServerTime>;
  now: () => number;
}): ServerClock {
  const { measure, now } = parts;
  let measured: ClockReading | undefined;
  let running: Promise<number> | undefined;
  let timesForgotten = 0;
  let forgottenAt = Number.NEGATIVE_INFINITY;

  async function measureOnce(): Promise<number> {
    const timesBefore = timesForgotten;
    const asked = now();
    const { serverMs, resolutionMs } = await measure();
    const answered = now();
    if (timesForgotten !== timesBefore || answered - asked > LONGEST_ROUND_TRIP_MS) return measureOnce();
    // A clock in whole seconds shows on average half a second less than the true time.
    const truth = serverMs + (resolutionMs > 1 ? resolutionMs / 2 : 0);
    const halfRoundTrip = Math.max(0, answered - asked) / 2;
    measured = { offset: truth + halfRoundTrip - answered, at: answered };
    return measured.offset;
  }

  function isFresh(): boolean {
    // First of all: asking for the time may report that the clock must be forgotten.
    const time = now();
    if (!measured || running) return false;
    const age = time - measured.at;
    return age >= 0 && age < MAX_AGE_MS;
  }

  function refresh(): Promise<number> {
    running ??= measureOnce().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    get offset() {
      return measured?.offset;
    },
    get reading() {
      return measured;
    },
    adopt({ offset, at }) {
      const time = now();
      if (at > (measured?.at ?? forgottenAt) && at <= time) measured = { offset, at };
    },
    get fresh() {
      return isFresh();
    },
    refresh,
    async ready() {
      if (isFresh()) return;
      try {
        await refresh();
      } catch (error) {
        if (!measured) throw error;
      }
    },
    forget() {
      measured = undefined;
      timesForgotten += 1;
      forgottenAt = now();
    },
    serverNow() {
      const time = now();
      return measured && Math.round(time + measured.offset);
    },
  };
}
