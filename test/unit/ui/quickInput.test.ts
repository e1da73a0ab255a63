import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { WebviewPanel } from "vscode";
import { monotonicTimers } from "../../../src/time/timers.ts";
import { isEcho, type Echo } from "../../../src/protocol/echo.ts";
import { HollowPanel, loadUi, person, shownMessages, typed } from "../../support/fakes/vscode.ts";
import { FakeTimers } from "../../support/fakes/timers.ts";
import { waitFor } from "../../support/waitFor.ts";

const { ask, choose } = await loadUi(() => import("../../../src/ui/quickInput.ts"));
const { noteRowRead, PausedPainting, PaintPause } = await loadUi(
  () => import("../../../src/ui/paintPause.ts"),
);
const { onPageMessage, pagesHaveCaughtUp } = await loadUi(() => import("../../../src/ui/pages/pages.ts"));

const opened = (): string[] => shownMessages.flatMap(({ how, text }) => (how === "command" ? [] : text));

const prompt = { title: "Which", prompt: "A word", problem: () => undefined };

/** A page on screen that sends no echo by itself; `asked` are the requested echoes. */
function openPage() {
  const panel = new HollowPanel();
  const asked: Echo[] = [];
  const received: unknown[] = [];
  panel.onDidPost((message) => isEcho(message) && asked.push(message));
  onPageMessage(panel as unknown as WebviewPanel, (message) => received.push(message));
  panel.setVisible(true);
  return { panel, asked, received };
}

describe("a pick", () => {
  beforeEach(() => {
    shownMessages.length = 0;
    typed.length = 0;
    person.choose = ([first]) => first;
  });

  it("opens after the page on screen has handled the editor's earlier messages", async () => {
    const { panel, asked, received } = openPage();
    const chosen = choose([{ label: "one" }], { title: "Which", placeHolder: "" });
    const echo = await waitFor("the request to the page", () => asked[0]);
    await wait(0);
    assert.deepEqual(opened(), []);
    panel.receive(echo);
    assert.deepEqual(await chosen, { label: "one" });
    assert.deepEqual(opened(), ["one"]);
    assert.deepEqual(received, [], "An echo is not a message of the page itself.");
    panel.dispose();
  });

  it("opens after the editor has painted pending rows, while prices repaint nothing", async () => {
    const timers = new FakeTimers();
    let painted = 0;
    let openedAt = -Infinity;
    person.choose = ([first]) => {
      if (first === "one") openedAt = monotonicTimers.now();
      return first;
    };
    const pause = new PaintPause(timers, () => (painted += 1));
    const repaintAt = monotonicTimers.now();
    pause.noteRepaint();
    const chosen = choose([{ label: "one" }], { title: "Which", placeHolder: "" });
    assert.equal(pause.isPaused(), true);
    assert.deepEqual(await chosen, { label: "one" });
    assert.ok(openedAt - repaintAt >= 200, `opened after ${openedAt - repaintAt} ms`);
    await timers.advance(999);
    assert.equal(painted, 0);
    await timers.advance(1);
    assert.equal(painted, 1, "what was missed is painted afterwards");
    pause.dispose();
  });

  it("repaints no row while it waits for a slow page, so the editor has nothing new to read", async () => {
    const timers = new FakeTimers();
    let painted = 0;
    const pause = new PaintPause(timers, () => (painted += 1));
    const { panel, asked } = openPage();
    const chosen = choose([{ label: "one" }], { title: "Which", placeHolder: "" });
    const echo = await waitFor("the request to the page", () => asked[0]);
    assert.equal(pause.isPaused(), true);
    await timers.advance(3000);
    assert.equal(painted, 0);
    panel.receive(echo);
    await chosen;
    await timers.advance(1000);
    assert.equal(painted, 1);
    panel.dispose();
    pause.dispose();
  });

  for (const [claim, reads, asked] of [
    ["opens at once if the editor reads no list", 0, 2],
    ["opens after the editor has read all levels of a list", 3, 6],
    ["opens all the same if the editor never stops reading", Infinity, 22],
  ] as const)
    it(claim, async () => {
      let left: number = reads;
      person.choose = ([first]) => {
        if (first === "bidside.asked" && (left -= 1) >= 0) noteRowRead();
        return first;
      };
      assert.deepEqual(await choose([{ label: "one" }], { title: "Which", placeHolder: "" }), {
        label: "one",
      });
      const before = shownMessages.slice(
        0,
        shownMessages.findIndex(({ how }) => how !== "command"),
      );
      assert.equal(before.length, asked, "questions to the editor before the pick opened");
    });

  it("also waits for rows that change during the wait", async () => {
    const pause = new PaintPause(new FakeTimers(), () => undefined);
    // Both timers are the runtime's, so the shorter one is always first.
    const repaintedAgain = wait(100).then(() => {
      const repaintAt = monotonicTimers.now();
      pause.noteRepaint();
      return repaintAt;
    });
    pause.noteRepaint();
    await choose([{ label: "one" }], { title: "Which", placeHolder: "" });
    const rested = monotonicTimers.now() - (await repaintedAgain);
    assert.ok(rested >= 200, `${rested} ms`);
    pause.dispose();
  });

  it("pauses a list that rarely changes, then repaints everything skipped once", async () => {
    const timers = new FakeTimers();
    const painted: unknown[] = [];
    const painting = new PausedPainting<string>(timers, (rows) => painted.push(rows));
    painting.paint(["before"]);
    await choose([{ label: "one" }], { title: "Which", placeHolder: "" });
    painting.paint(["a", "b"]);
    painting.paint(["b"]);
    assert.deepEqual(painted, [["before"]]);
    await timers.advance(1000);
    assert.deepEqual(painted, [["before"], ["a", "b"]]);
    await choose([{ label: "one" }], { title: "Which", placeHolder: "" });
    painting.paint(["a"]);
    painting.paint(undefined);
    await timers.advance(1000);
    assert.deepEqual(painted.slice(2), [undefined]);
    painting.paint(["after"]);
    assert.deepEqual(painted.slice(3), [["after"]]);
    painting.dispose();
  });

  for (const [how, go] of [
    ["is hidden", (panel: HollowPanel) => panel.setVisible(false)],
    ["is closed", (panel: HollowPanel) => panel.dispose()],
  ] as const)
    it(`waits for no page that ${how}`, async () => {
      const { panel, asked } = openPage();
      const chosen = choose([{ label: "one" }], { title: "Which", placeHolder: "" });
      await waitFor("the request to the page", () => asked[0]);
      go(panel);
      assert.deepEqual(await chosen, { label: "one" });
      panel.dispose();
    });

  it("does not wait for an unreachable page, and only briefly for a stuck one", async () => {
    const { panel } = openPage();
    await pagesHaveCaughtUp(10);
    panel.isReached = false;
    assert.deepEqual(await choose([{ label: "one" }], { title: "Which", placeHolder: "" }), { label: "one" });
    panel.dispose();
  });

  it("opens before the previous pick closes, so the focus never moves in between", async () => {
    await choose([{ label: "one" }], { title: "First", placeHolder: "" });
    const { panel, asked } = openPage();
    typed.push("word");
    assert.equal(await ask(prompt), "word");
    assert.deepEqual(opened(), ["one", "Which"]);
    assert.deepEqual(asked, []);
    panel.dispose();
  });

  it("returns nothing when cancelled", async () => {
    person.choose = () => undefined;
    assert.equal(await choose([{ label: "one" }], { title: "Which", placeHolder: "" }), undefined);
    assert.equal(await ask(prompt), undefined);
  });
});

describe("an input box", () => {
  it("rejects an invalid text and shows why", async () => {
    shownMessages.length = 0;
    typed.push("word");
    assert.equal(await ask({ ...prompt, problem: (text) => `not ${text}` }), undefined);
    assert.deepEqual(opened().slice(-1), ["not word"]);
  });
});

describe("every pick and input box", () => {
  it("opens through the function that protects its focus", () => {
    const files = globSync("src/ui/**/*.ts").filter((file) => !file.endsWith("quickInput.ts"));
    const strays = files.filter((file) => {
      const source = readFileSync(file, "utf8");
      const creates = /create(?:QuickPick|InputBox)/.test(source);
      return /show(?:QuickPick|InputBox)/.test(source) || (creates && /\.show\(\)/.test(source));
    });
    assert.ok(files.length > 20);
    assert.deepEqual(strays, []);
  });
});
