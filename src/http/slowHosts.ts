/**
 * Node tries the addresses of a host one after the other, each for 250 ms but the last. If the host has IPv6 addresses that
 * this computer cannot reach, a slower handshake over IPv4 is thus given up for good.
 */
const PATIENT_MS = 3000;

/** Hosts whose handshake was given up, until the process ends. */
const slowHosts = new Set<string>();

/** How long a connection to the host tries each address; Node's default unless the host is slow. */
export function attemptTimeout(host: string): { readonly autoSelectFamilyAttemptTimeout?: number } {
  return slowHosts.has(host) ? { autoSelectFamilyAttemptTimeout: PATIENT_MS } : {};
}

/** Notes a failed connection. If a handshake with one of several addresses was given up, the next one gets more time. */
export function noteFailure(host: string, error: unknown): void {
  const isSlow =
    error instanceof AggregateError &&
    error.errors.some((each: NodeJS.ErrnoException) => each.code === "ETIMEDOUT");
  if (isSlow) slowHosts.add(host);
}
