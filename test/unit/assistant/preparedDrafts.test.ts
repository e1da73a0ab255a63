import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PREPARED_ORDER_MS, PreparedDrafts } from "../../../src/assistant/preparedDrafts.ts";
import { APART_MS, PreparedSlot } from "../../../src/assistant/preparedSlot.ts";
import { TestTicket } from "../../support/desks/assistantDesk.ts";
import { systemWith, unsyncedSystem } from "../../support/fakes/operatingSystem.ts";
import { FakeTimers } from "../../support/fakes/timers.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const DRAFT = {
  by: "assistant",
  side: "buy",
  symbol: "THB_BTC",
  amount: "1000",
  rate: "100",
  postOnly: false,
} as const;

interface Window {
  readonly pid: number;
  readonly ticket: TestTicket;
  readonly drafts: PreparedDrafts;
}

describe("prepared drafts", () => {
  let directory: string;
  let timers: FakeTimers;
  let running: Set<number>;
  let warnings: unknown[];
  let made: number;
  let ticket: TestTicket;
  let drafts: PreparedDrafts;

  /** A window of the computer: a process with its own order ticket. */
  function openWindow(files = unsyncedSystem.files): Window {
    const pid = 100 + running.size;
    running.add(pid);
    const os = { ...unsyncedSystem, files, pid, isRunning: (each: number) => running.has(each) };
    const ticket = new TestTicket();
    const place = new PreparedSlot(directory, os);
    const drafts = new PreparedDrafts({
      timers,
      ticket,
      newId: () => `draft-${(made += 1)}`,
      place,
      warn: (error) => warnings.push(error),
    });
    return { pid, ticket, drafts };
  }

  beforeEach(() => {
    directory = temporaryFolder();
    timers = new FakeTimers();
    running = new Set();
    warnings = [];
    made = 0;
    ({ ticket, drafts } = openWindow());
  });
  afterEach(() => {
    assert.deepEqual(warnings, []);
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
    ticket.close();
    await timers.advance(APART_MS - 1);
    assert.equal(await drafts.prepare(DRAFT), "tooSoon");
    await timers.advance(1);
    assert.deepEqual(await drafts.prepare(DRAFT), { id: "draft-2" });
  });

  it("wait no longer because the clock was set back", async () => {
    await drafts.prepare(DRAFT);
    ticket.close();
    timers.sleep(-3_600_000);
    assert.deepEqual(await drafts.prepare(DRAFT), { id: "draft-2" });
  });

  it("go after 2 minutes, and the next one has its own 2 minutes", async () => {
    await drafts.prepare(DRAFT);
    await timers.advance(PREPARED_ORDER_MS - 1);
    assert.ok(ticket.draft);
    await timers.advance(1);
    assert.equal(ticket.draft, undefined);
    await drafts.prepare(DRAFT);
    await timers.advance(PREPARED_ORDER_MS - 1);
    assert.ok(ticket.draft);
  });

  it("leave the next draft alone when an earlier one would have gone", async () => {
    await drafts.prepare(DRAFT);
    ticket.close();
    await timers.advance(PREPARED_ORDER_MS - 1000);
    await drafts.prepare(DRAFT);
    await timers.advance(2000);
    assert.equal(ticket.draft?.id, "draft-2");
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

  describe("of several windows", () => {
    it("are open one at a time, also when all windows prepare at once", async () => {
      const windows = [openWindow(), openWindow(), openWindow()];
      const answers = await Promise.all(windows.map((window) => window.drafts.prepare(DRAFT)));
      assert.deepEqual(answers, [{ id: "draft-1" }, "anotherIsOpen", "anotherIsOpen"]);
      await timers.advance(APART_MS);
      assert.equal(windows[1]?.drafts.refusal, "anotherIsOpen");
      assert.equal(await windows[1]?.drafts.prepare(DRAFT), "anotherIsOpen");
      assert.deepEqual(
        windows.map(({ ticket }) => ticket.shown.length),
        [1, 0, 0],
      );
    });

    it("are at least 10 seconds apart, whichever window they are in", async () => {
      const other = openWindow();
      await drafts.prepare(DRAFT);
      ticket.close();
      await timers.advance(APART_MS - 1);
      assert.equal(await other.drafts.prepare(DRAFT), "tooSoon");
      await timers.advance(1);
      assert.deepEqual(await other.drafts.prepare(DRAFT), { id: "draft-2" });
      assert.equal(await drafts.prepare(DRAFT), "anotherIsOpen");
    });

    it("leave the place after 2 minutes, or when their window closes", async () => {
      const other = openWindow();
      await drafts.prepare(DRAFT);
      await timers.advance(PREPARED_ORDER_MS);
      assert.deepEqual(await other.drafts.prepare(DRAFT), { id: "draft-2" });
      await timers.advance(APART_MS);
      other.drafts.dispose();
      assert.deepEqual(await drafts.prepare(DRAFT), { id: "draft-3" });
    });

    it("leave the place when their window is killed, 10 seconds after they were prepared", async () => {
      const other = openWindow();
      await other.drafts.prepare(DRAFT);
      running.delete(other.pid);
      assert.equal(await drafts.prepare(DRAFT), "tooSoon");
      await timers.advance(APART_MS);
      assert.deepEqual(await drafts.prepare(DRAFT), { id: "draft-2" });
    });

    it("keep to the 10 seconds of the order before while one ticket is in use", async () => {
      const other = openWindow();
      await drafts.prepare(DRAFT);
      ticket.close();
      await timers.advance(APART_MS);
      other.ticket.isInUse = true;
      assert.equal(await other.drafts.prepare(DRAFT), "ticketInUse");
      assert.deepEqual(await drafts.prepare(DRAFT), { id: "draft-3" });
    });

    it("are not opened while the disk fails, and leave two files at most", async () => {
      const full = () => {
        throw Object.assign(new Error("full"), { code: "ENOSPC" });
      };
      const other = openWindow(systemWith({ writeFileSync: full }).files);
      await assert.rejects(other.drafts.prepare(DRAFT), /full/);
      assert.equal(other.ticket.draft, undefined);
      for (let index = 0; index < 5; index += 1) {
        await drafts.prepare(DRAFT);
        ticket.close();
        await timers.advance(APART_MS);
      }
      assert.equal(readdirSync(directory).length, 2);
    });

    it("wait 10 seconds after a record that cannot be read", async () => {
      await drafts.prepare(DRAFT);
      ticket.close();
      await timers.advance(APART_MS);
      writeFileSync(join(directory, "prepared-2"), "");
      timers.sleep(Date.now() - timers.now());
      assert.equal(await drafts.prepare(DRAFT), "tooSoon");
      await timers.advance(2 * APART_MS);
      assert.deepEqual(await drafts.prepare(DRAFT), { id: "draft-2" });
    });
  });
});
