/** The hosts that want no connection for now, with the local times of the refusal and of its end, in ms. */
const pauses = new Map<string, { readonly from: number; readonly until: number }>();

export function notePause(host: string, ms: number, now: number): void {
  pauses.set(host, { from: now, until: now + ms });
}

/** How long the host wants no connection, in ms; undefined if it takes one, or if the clock was set back since. */
export function pauseOf(host: string, now: number): number | undefined {
  const { from, until } = pauses.get(host) ?? { from: now, until: now };
  return from <= now && now < until ? until - now : undefined;
}
