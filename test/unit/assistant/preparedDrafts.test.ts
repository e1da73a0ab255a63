import assert from "node:assert/strict";
import { APART_MS, KEPT_MS, PreparedDrafts } from "../../../src/assistant/preparedDrafts.ts";
import { TestTicket } from "../../support/desks/assistantDesk.ts";
import { FakeTimers } from "../../support/fakes/timers.ts";

const DRAFT = {
  by: "assistant",
  side: "buy",
  symbol: "THB_BTC",
  amount: "1000",
  rate: "100",
  postOnly: false,
} as const;

describe("prepared drafts", () => {
  let timers: FakeTimers;
  let ticket: TestTicket;
  let drafts: PreparedDrafts;
  let made: number;

  beforeEach(() => {
    timers = new FakeTimers();
    ticket = new TestTicket();
    made = 0;
    drafts = new PreparedDrafts({ timers, ticket, newId: () => `draft-${(made += 1)}` });
  });

  it("are open one at a time, also when several are prepared at once", async () => {
    const answers = await Promise.all([drafts.prepare(DRAFT), drafts.prepare(DRAFT), drafts.prepare(DRAFT)]);
    assert.deepEqual(answers, [{ id: "draft-1" }, "anotherIsOpen", "anotherIsOpen"]);
    await timers.advance(APART_MS);
    assert.equal(await drafts.prepare(DRAFT), "anotherIsOpen");
    assert.equal(ticket.shown.length, 1);
  });

  it("are at least 10 seconds apart", async () => {
    await drafts.prepare(DRAFT);
    ticket.draft = undefined;
    await timers.advance(APART_MS - 1);
    assert.equal(await drafts.prepare(DRAFT), "tooSoon");
    await timers.advance(1);
    assert.deepEqual(await drafts.prepare(DRAFT), { id: "draft-2" });
  });

  it("wait no longer because the clock was set back", async () => {
    await drafts.prepare(DRAFT);
    ticket.draft = undefined;
    timers.sleep(-3_600_000);
    assert.deepEqual(await drafts.prepare(DRAFT), { id: "draft-2" });
  });

  it("go after 2 minutes, and the next one has its own 2 minutes", async () => {
    await drafts.prepare(DRAFT);
    await timers.advance(KEPT_MS - 1);
    assert.ok(ticket.draft);
    await timers.advance(1);
    assert.equal(ticket.draft, undefined);
    await drafts.prepare(DRAFT);
    await timers.advance(KEPT_MS - 1);
    assert.ok(ticket.draft);
  });

  it("leave the next draft alone when an earlier one would have gone", async () => {
    await drafts.prepare(DRAFT);
    ticket.draft = undefined;
    await timers.advance(KEPT_MS - 1000);
    await drafts.prepare(DRAFT);
    await timers.advance(2000);
    assert.ok(ticket.holds("draft-2"));
  });

  it("are refused while the ticket is in use, and that costs no time", async () => {
    ticket.isInUse = true;
    assert.equal(await drafts.prepare(DRAFT), "ticketInUse");
    ticket.isInUse = false;
    assert.deepEqual(await drafts.prepare(DRAFT), { id: "draft-2" });
  });

  it("can be prepared again after the ticket failed to open", async () => {
    const { open } = ticket;
    Object.assign(ticket, { open: () => Promise.reject(new Error("no editor")) });
    await assert.rejects(drafts.prepare(DRAFT));
    Object.assign(ticket, { open });
    assert.deepEqual(await drafts.prepare(DRAFT), { id: "draft-2" });
  });
});
