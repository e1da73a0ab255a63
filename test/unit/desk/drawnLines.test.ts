import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DrawnLines, LineRefusedError, MAX_LINES } from "../../../src/desk/drawnLines.ts";
import type { LineShape } from "../../../src/market/drawnLine.ts";
import { LineFiles } from "../../../src/storage/lineFiles.ts";
import { DeskWindows } from "../../support/desks/windows.ts";
import { FakeTimers } from "../../support/fakes/timers.ts";
import { FakeClient, liveAccount, openVenue } from "../../support/fakes/venue.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";
import { waitFor } from "../../support/waitFor.ts";

const level: LineShape = { kind: "level", price: "3100000.5" };
const trend: LineShape = { kind: "trend", from: { at: 60_000, price: "2" }, to: { at: 0, price: "1" } };

describe("the lines that a user draws", () => {
  let folder: string;
  beforeEach(() => void (folder = join(temporaryFolder(), "lines")));

  async function openLines() {
    const venue = await openVenue(new FakeClient());
    const onError = (error: unknown): void => assert.fail(String(error));
    return {
      venue,
      lines: new DrawnLines({ open: () => new LineFiles(folder), venue, newId: randomUUID, onError }),
    };
  }
  const shapesOf = (lines: DrawnLines, symbol = "THB_BTC"): LineShape[] =>
    lines.of(symbol).map(({ shape }) => shape);

  it("stay with their pair and its exchange, in the next session too", async () => {
    const { venue, lines } = await openLines();
    assert.deepEqual(shapesOf(lines), []);
    lines.draw("THB_BTC", level);
    lines.draw("THB_BTC", trend);
    lines.draw("THB_ETH", level);
    const { lines: next } = await openLines();
    assert.deepEqual(new Set(shapesOf(next)), new Set([level, trend]));
    assert.deepEqual(shapesOf(next, "THB_ETH"), [level]);
    await venue.select(liveAccount);
    assert.deepEqual(shapesOf(lines), []);
  });

  it("are moved, renamed and removed, which other windows are told", async () => {
    const { lines } = await openLines();
    let written = 0;
    lines.onDidWrite(() => (written += 1));
    lines.draw("THB_BTC", level);
    const id = lines.of("THB_BTC")[0]?.id ?? assert.fail();
    lines.change(id, { shape: trend });
    lines.change(id, { name: "Support" });
    assert.deepEqual(
      lines.of("THB_BTC").map(({ shape, name }) => [shape, name]),
      [[trend, "Support"]],
    );
    lines.remove(id);
    assert.deepEqual([shapesOf(lines), written], [[], 4]);
    lines.change(id, { name: "Again" });
    assert.deepEqual([shapesOf(lines), written], [[], 4], "a removed line does not come back");
  });

  it("ignore files that are no lines", async () => {
    const { lines } = await openLines();
    lines.draw("THB_BTC", level);
    writeFileSync(join(folder, "line-00000000-0000-4000-8000-000000000002.json"), '{"version":1}');
    lines.reread();
    assert.deepEqual(shapesOf(lines), [level]);
    assert.equal(readdirSync(folder).length, 2);
  });

  it("are limited in each pair", async () => {
    const { lines } = await openLines();
    for (let count = 0; count < MAX_LINES; count += 1) lines.draw("THB_BTC", level);
    assert.throws(() => lines.draw("THB_BTC", level), LineRefusedError);
    lines.draw("THB_ETH", level);
  });

  it("appear in the other windows", async () => {
    const machine = new DeskWindows();
    try {
      const timers = new FakeTimers();
      const open = () => machine.open({ client: new FakeClient(), timers });
      const [first, second] = [await open(), await open()];
      assert.deepEqual(shapesOf(second.lines), []);
      first.lines.draw("THB_BTC", level);
      await waitFor("the line", () => shapesOf(second.lines).length === 1);
    } finally {
      await machine.close();
    }
  });
});
