import assert from "node:assert/strict";
import type { Channel } from "../../../src/desk/notifications/channel.ts";
import { Notifications } from "../../../src/desk/notifications/notifications.ts";
import { thisSystem, type Files } from "../../../src/files/operatingSystem.ts";
import { NotificationClaims } from "../../../src/storage/notificationClaims.ts";
import { Disk, type DiskTrouble } from "../../world/disk.ts";
import { Process } from "../../world/process.ts";
import { Scheduler } from "../../world/scheduler.ts";
import { FakeTimers } from "../fakes/timers.ts";

/** A window that notifies, on the disk of all windows of a computer. */
interface NotifiedWindow {
  readonly notifications: Notifications;
  kill(): void;
}

/** The notifications of several windows of one computer, whose files have the times of a fake clock. */
export class NotifiedWindows {
  readonly timers: FakeTimers;
  readonly disk: Disk;
  readonly #trouble: DiskTrouble;
  #pid = 0;
  /** Called before each call of a window to the disk; `kill` ends the window instead of it. */
  beforeCall: (name: string, kill: () => void) => void = () => undefined;

  /** `settled` waits until no window is sending. */
  constructor(trouble: Partial<DiskTrouble> = {}, settled?: () => Promise<void>) {
    this.timers = new FakeTimers(undefined, settled);
    this.disk = new Disk(this.timers.now);
    this.#trouble = { fails: () => undefined, takes: (_, size) => size, done: () => undefined, ...trouble };
  }

  /** Opens a window; `channelOf` gets the function that kills it. */
  open(
    channelOf: (kill: () => void) => readonly Channel[],
    random: () => number = () => 0,
    isInFront = true,
  ): NotifiedWindow {
    const failed = (error: unknown): never => assert.fail(String(error));
    const process = new Process(++this.#pid, new Scheduler(0), failed);
    const files = this.#watched(this.disk.callsOf(process, this.#trouble), () => process.kill());
    const os = { ...thisSystem, files };
    const folder = "/storage/notifications";
    const { timers } = this;
    const kill = (): void => process.kill();
    const notifications = new Notifications({
      channels: channelOf(kill),
      folder,
      os,
      claims: new NotificationClaims(folder, os),
      timers: { now: timers.now, after: (ms, task) => timers.after(ms, () => process.run(task)) },
      random,
      isInFront: () => isInFront,
      onError: (error) => {
        if (process.isAlive) throw error;
      },
    });
    return { notifications, kill };
  }

  #watched(files: Files, kill: () => void): Files {
    return new Proxy(files, {
      get: (target, name, receiver) => {
        const call: unknown = Reflect.get(target, name, receiver);
        if (typeof call !== "function") return call;
        return (...args: unknown[]): unknown => {
          this.beforeCall(String(name), kill);
          return Reflect.apply(call, target, args);
        };
      },
    });
  }
}
