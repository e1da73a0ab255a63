import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Desk, type DeskPorts } from "../../../src/desk/desk.ts";
import { systemTimers } from "../../../src/desk/time/timers.ts";
import type { ExchangeClient } from "../../../src/exchange/client.ts";
import { usualLimits } from "../../../src/market/order.ts";
import type { VenueId } from "../../../src/desk/venue.ts";
import { openingOf } from "../fakes/venue.ts";
import { waitFor } from "../waitFor.ts";

export interface TestDeskOptions extends Partial<DeskPorts> {
  readonly client: ExchangeClient;
  readonly storage: string;
  /** The venue that is open at first; practice if not given. */
  readonly venue?: VenueId;
}

/**
 * The shipped desk of one window without other windows, with both venues at addresses that nobody serves. The client
 * and the folder are the test's; a person would answer each question with yes.
 */
export async function openTestDesk({ client, venue = "practice", ...ports }: TestDeskOptions): Promise<Desk> {
  const open = {
    practice: () => Promise.resolve(openingOf("http://127.0.0.1:1", { name: "Practice", mayMove: true })),
    live: () => Promise.resolve(openingOf("https://api.example.com")),
  };
  const yes = () => Promise.resolve(true);
  const ignore = () => undefined;
  const desk = new Desk({
    timers: systemTimers,
    random: () => 0,
    newId: randomUUID,
    openVenue: open,
    createClient: () => client,
    openWindows: () => Promise.reject(new Error("There is no other window.")),
    window: { focused: true, active: true },
    isInFront: () => true,
    settings: { limits: () => usualLimits, refreshInterval: () => 5000, historyMaximumBytes: () => 0 },
    ask: { confirmAbove: yes, confirm: yes },
    loadAnnounce: () => Promise.resolve(() => undefined),
    log: { debug: ignore, info: ignore, warn: ignore, error: (line) => assert.fail(line) },
    ...ports,
  });
  await desk.venue.select(venue);
  await waitFor("the window to lead", () => desk.windows.role === "leader");
  return desk;
}
