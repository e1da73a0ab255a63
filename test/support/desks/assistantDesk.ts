import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { AccessLevel } from "../../../src/assistant/access.ts";
import { Assistant, type AssistantOptions } from "../../../src/assistant/assistant.ts";
import {
  type PreparedDraft,
  PreparedDrafts,
  type PreparedTicket,
} from "../../../src/assistant/preparedDrafts.ts";
import { PreparedSlot } from "../../../src/assistant/preparedSlot.ts";
import type { Desk } from "../../../src/desk/desk.ts";
import { unsyncedSystem } from "../fakes/operatingSystem.ts";

/** An order ticket without a page: it has at most one draft, and the test acts as its user. */
export class TestTicket implements PreparedTicket {
  /** The draft in the ticket. */
  draft: PreparedDraft | undefined;
  /** Every draft that was shown, oldest first. */
  readonly shown: PreparedDraft[] = [];
  /** The user has figures in the ticket, or is confirming an order. */
  isInUse = false;
  #gone: (() => void) | undefined;

  async open(draft: PreparedDraft, gone: () => void): Promise<boolean> {
    if (this.isInUse || this.draft) return false;
    [this.draft, this.#gone] = [draft, gone];
    this.shown.push(draft);
    return true;
  }

  withdraw(id: string): void {
    if (this.draft?.id === id) this.close();
  }

  /** The user closes the ticket, or its order is placed. */
  close(): void {
    const gone = this.#gone;
    this.draft = this.#gone = undefined;
    gone?.();
  }
}

export interface TestAssistant {
  readonly assistant: Assistant;
  readonly ticket: TestTicket;
  /** The user's settings. */
  readonly set: { level: AccessLevel; hidden: boolean; valuesIn: string };
  /** The result of a call, parsed. */
  call(name: string, input?: unknown): Promise<Record<string, unknown>>;
}

/** The shipped assistant over a desk, initially with the level `prepare`. The user declines every alert by default. */
export function assistantOf(
  desk: Desk,
  confirmAlert: AssistantOptions["confirmAlert"] = () => Promise.resolve(false),
): TestAssistant {
  const ticket = new TestTicket();
  const place = new PreparedSlot(join(dirname(desk.ordersFolder), "windows"), unsyncedSystem);
  const set: TestAssistant["set"] = { level: "prepare", hidden: false, valuesIn: "" };
  const assistant = new Assistant({
    desk,
    level: () => set.level,
    areAmountsHidden: () => set.hidden,
    valuesIn: () => set.valuesIn,
    drafts: new PreparedDrafts({
      timers: desk.timers,
      newId: randomUUID,
      ticket,
      place,
      warn: (error) => assert.fail(String(error)),
    }),
    confirmAlert,
  });
  return {
    assistant,
    ticket,
    set,
    async call(name, input = {}) {
      const { text } = await assistant.call(name, input);
      return JSON.parse(text) as Record<string, unknown>;
    },
  };
}
