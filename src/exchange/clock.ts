/** One reading of a service's clock. */
export interface ServerTime {
  /** Ms since the epoch. */
  readonly serverMs: number;
  /** 1000 where the service counts whole seconds, 1 where it counts ms. */
  readonly resolutionMs: number;
}

/** What a measurement found: ms to add to the local clock, and when, on the local clock. */
export interface ClockReading {
  readonly offset: number;
  readonly at: number;
}

/** The service's clock, as an offset from this machine's. */
export interface ServerClock {
  /** Ms to add to the local clock; undefined before it was first measured. */
  readonly offset: number | undefined;
  /** The newest measurement. */
  readonly reading: ClockReading | undefined;
  /** Takes over what another process of this machine measured, where that is newer, and than the last `forget`. */
  adopt(reading: ClockReading): void;
  /** Whether the offset may be signed with: less than five minutes old, by a local clock that has not gone back, and not in doubt: not being measured again. */
  readonly fresh: boolean;
  /** Measures now and resolves to the offset; callers at the same time share one measurement. Rejects with what `measure` rejects with. */
  refresh(): Promise<number>;
  /** Measures where the offset is not fresh. When that fails an older offset serves; with none it rejects. */
  ready(): Promise<void>;
  /** The local clock cannot be trusted to have gone on as before: nothing measured so far, or being measured, holds. */
  forget(): void;
  /** Server time in whole ms; undefined while nothing measured holds. */
  serverNow(): number | undefined;
}

const MAX_AGE_MS = 5 * 60_000;
/** No request takes longer: the machine slept meanwhile, and half of that time says nothing of the way. */
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
    // A clock cut to whole seconds shows on average half a second less than the truth.
    const truth = serverMs + (resolutionMs > 1 ? resolutionMs / 2 : 0);
    const halfRoundTrip = Math.max(0, answered - asked) / 2;
    measured = { offset: truth + halfRoundTrip - answered, at: answered };
    return measured.offset;
  }

  function isFresh(): boolean {
    // First of all: asking for the time may be what shows that the clock is to be forgotten.
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
