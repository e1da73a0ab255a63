interface Message {
  readonly data: { readonly channel?: string };
}

/** The globals of a frame that this script uses. */
interface FrameGlobals {
  readonly top: FrameGlobals;
  setTimeout: (task: () => void, ms?: number, ...given: unknown[]) => number;
  readonly MessagePort: {
    readonly prototype: {
      postMessage: (message: { readonly channel?: string }, ...given: readonly unknown[]) => void;
    };
  };
  /** Messages that give a page the focus, counted in the window's main frame. */
  focusMessages?: { sent: number; taken: number };
}

/**
 * A script for every frame, by which the editor takes the focus from every pick that does not wait for it. After the palette
 * has closed, the editor looks 50 ms later whether to give the focus back to the page by a message; a pick that opens between
 * the two loses it. Here that look comes at once, before any pick; and the page gets that message, and all that follow, late.
 */
export function stealFocus(): void {
  const LOOK_MS = 50;
  const LATE_MS = 100;
  const frame = globalThis as unknown as FrameGlobals;
  const { setTimeout: later, top } = frame;
  const { prototype } = frame.MessagePort;
  const counted = (top.focusMessages ??= { sent: 0, taken: 0 });
  if (frame === top) {
    frame.setTimeout = (task, ms, ...given) => later(task, ms === LOOK_MS ? 0 : ms, ...given);
    const { postMessage } = prototype;
    prototype.postMessage = function (message, ...given) {
      if (message.channel === "focus") counted.sent += 1;
      postMessage.call(this, message, ...given);
    };
    return;
  }
  const listener = Object.getOwnPropertyDescriptor(prototype, "onmessage");
  if (!listener?.set) throw new Error("A message port has no listener to replace.");
  const listen = listener.set;
  Object.defineProperty(prototype, "onmessage", {
    ...listener,
    set(this: unknown, take: (event: unknown) => void) {
      let before = Promise.resolve();
      const takeLate = async (event: Message): Promise<void> => {
        if (event.data.channel !== "focus") return take.call(this, event);
        await new Promise<void>((done) => later(done, LATE_MS));
        take.call(this, event);
        counted.taken += 1;
      };
      listen.call(this, (event: Message) => (before = before.then(() => takeLate(event))));
    },
  });
}

/** How many messages have given a page the focus, as soon as none is on its way. Runs in the main frame. */
export async function focusesAtRest(): Promise<number> {
  const { setTimeout: later, focusMessages: counted = { sent: 0, taken: 0 } } =
    globalThis as unknown as FrameGlobals;
  while (counted.sent !== counted.taken) await new Promise<void>((done) => later(done, 20));
  return counted.taken;
}
