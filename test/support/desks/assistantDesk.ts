import { randomUUID } from "node:crypto";
import type { AccessLevel } from "../../../src/assistant/access.ts";
import { Assistant, type AssistantOptions } from "../../../src/assistant/assistant.ts";
import {
  type PreparedDraft,
  PreparedDrafts,
  type PreparedTicket,
} from "../../../src/assistant/preparedDrafts.ts";
import type { Desk } from "../../../src/desk/desk.ts";

/** An order ticket without a page: it has at most one draft, and its person is the test. */
export class TestTicket implements PreparedTicket {
  /** The draft in the ticket. */
  draft: PreparedDraft | undefined;
  /** Every draft that was shown, the oldest first. */
  readonly shown: PreparedDraft[] = [];
  /** The person has figures in the ticket, or is confirming an order. */
  isInUse = false;

  async open(draft: PreparedDraft): Promise<boolean> {
    if (this.isInUse || this.draft) return false;
    this.draft = draft;
    this.shown.push(draft);
    return true;
  }

  withdraw(id: string): void {
    if (this.holds(id)) this.draft = undefined;
  }

  holds(id: string): boolean {
    return this.draft?.id === id;
  }
}

export interface TestAssistant {
  readonly assistant: Assistant;
  readonly ticket: TestTicket;
  /** What the person set. */
  readonly set: { level: AccessLevel; hidden: boolean };
  /** The result of a call, parsed. */
  call(name: string, input?: unknown): Promise<Record<string, unknown>>;
}

/** The shipped assistant over a desk, with the level `prepare` at first. The person declines every alert by default. */
export function assistantOf(
  desk: Desk,
  confirmAlert: AssistantOptions["confirmAlert"] = () => Promise.resolve(false),
): TestAssistant {
  const ticket = new TestTicket();
  const set: TestAssistant["set"] = { level: "prepare", hidden: false };
  const assistant = new Assistant({
    desk,
    level: () => set.level,
    areAmountsHidden: () => set.hidden,
    drafts: new PreparedDrafts({ timers: desk.timers, newId: randomUUID, ticket }),
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
