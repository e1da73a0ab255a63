import type { OpenSocket, SocketEvents, StreamSocket } from "./socket.ts";

interface Pause {
  readonly from: number;
  readonly until: number;
}

/**
 * Opens sockets with `open`, but asks no host that wants no connection for now: another stream of it would, and the same one
 * with other pairs. `now`: the local clock, ms.
 */
export function withPauses(open: OpenSocket, now: () => number): OpenSocket {
  const pauses = new Map<string, Pause>();
  return (url, events, headers) => {
    const at = now();
    const pause = pauses.get(url.host);
    // After the clock was set back, one early request is better than a lock-out.
    if (pause && pause.from <= at && at < pause.until) return refused(events, pause.until - at);
    return open(
      url,
      {
        ...events,
        ended: (end) => {
          const from = now();
          if (end.pauseMs !== undefined) pauses.set(url.host, { from, until: from + end.pauseMs });
          events.ended(end);
        },
      },
      headers,
    );
  };
}

function refused({ ended }: SocketEvents, pauseMs: number): StreamSocket {
  let isClosed = false;
  queueMicrotask(() => {
    if (!isClosed) ended({ reason: "refused", pauseMs, detail: "the host wants no connection yet" });
  });
  return { send: () => undefined, ping: () => undefined, close: () => (isClosed = true) };
}
