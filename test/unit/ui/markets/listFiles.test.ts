import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Desk } from "../../../../src/desk/desk.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";
import { favouritesOf, listsStore } from "../../../support/fakes/watchLists.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { exportLists, importLists } = await loadUi(() => import("../../../../src/ui/markets/listFiles.ts"));

function deskWith(favourites: readonly string[]): Desk {
  const tickers = new Map([["THB_BTC", tickerOf("THB_BTC")]]);
  return {
    watchLists: listsStore(favouritesOf(favourites)),
    tickers: { state: { tickers } },
    log: { error: () => undefined },
    newId: () => "new",
  } as unknown as Desk;
}

describe("watch lists in a file", () => {
  let path = "";
  beforeEach(() => {
    path = join(temporaryFolder(), "lists.json");
    shownMessages.length = 0;
    person.file = path;
  });
  afterEach(() => void (person.file = undefined));

  it("go to another computer, with pairs that its exchange does not list", async () => {
    await exportLists(deskWith(["THB_BTC", "THB_GONE"]));
    const other = deskWith([]);
    await importLists(other);
    assert.deepEqual(other.watchLists.state.lists[0].pairs, ["THB_BTC", "THB_GONE"]);
    assert.equal(shownMessages.at(-1)?.text, "Watch lists imported. New lists: 0. New pairs: 2.");
    assert.match(await readFile(path, "utf8"), /"GONE\/THB"/);
  });

  it("are refused with the reason if they are not what they should be, and nothing changes", async () => {
    for (const [text, words] of [
      ["{", "The file is not JSON."],
      ['{"bidsideProfile":1}', 'The file does not begin with "bidsideWatchLists": 1.'],
      ['{"bidsideWatchLists":1,"lists":[{"name":"A","pairs":["nonsense"]}]}', "lists.0.pairs.0 is unknown"],
      [" ".repeat(1024 * 1024 + 1), "The file is larger than 1 MB."],
    ] as const) {
      await writeFile(path, text);
      const desk = deskWith(["THB_BTC"]);
      const before = desk.watchLists.state;
      await importLists(desk);
      assert.ok(shownMessages.at(-1)?.text.startsWith(`No watch lists were imported. ${words}`));
      assert.equal(desk.watchLists.state, before);
    }
  });
});
