import assert from "node:assert/strict";
import { addPair, createList } from "../../../../src/desk/watchLists/edits.ts";
import { FAVOURITES } from "../../../../src/desk/watchLists/watchLists.ts";
import { loadUi, person, shownMessages, typed } from "../../../support/fakes/vscode.ts";
import { favouritesOf, listsStore } from "../../../support/fakes/watchLists.ts";

const { manageLists, newList, pickList, pickListsOf } = await loadUi(
  () => import("../../../../src/ui/markets/listPicks.ts"),
);

/** The favourites and two lists of the user, of which the second is on screen. */
function threeLists() {
  const majors = createList(favouritesOf(["THB_BTC"]), { id: "majors", name: "Majors" });
  return listsStore(addPair(createList(majors, { id: "small", name: "Small" }), "majors", "THB_BTC"));
}

/** Answers the next picks and questions with these labels, one each, then cancels. */
function answer(...labels: readonly string[]): void {
  const left = [...labels];
  person.choose = (offered) => {
    const found = offered.find((each) => each === left[0] || each.endsWith(` ${left[0]}`));
    if (found !== undefined) left.shift();
    return found;
  };
}

describe("the picks of watch lists", () => {
  const { choose } = person;
  beforeEach(() => {
    shownMessages.length = 0;
    typed.length = 0;
  });
  afterEach(() => void (person.choose = choose));

  const messages = (how: string): string[] =>
    shownMessages.filter((each) => each.how === how).map(({ text }) => text);

  it("offer all pairs, the favourites and the user's lists, and return the choice", async () => {
    answer("Majors");
    assert.equal(await pickList(threeLists()), "majors");
    const [offered = ""] = messages("choices");
    assert.deepEqual(offered.split("\n").slice(0, 4), ["All Pairs", "Favourites", "Majors", "Small"]);
  });

  it("check the lists that contain a pair, and change only what was clicked", async () => {
    const lists = threeLists();
    const pairs = (): unknown => lists.state.lists.map((list) => list.pairs.length);
    answer("Small");
    await pickListsOf(lists, () => "new", "THB_BTC", "BTC/THB");
    assert.deepEqual(pairs(), [1, 1, 1]);
    answer("Favourites");
    await pickListsOf(lists, () => "new", "THB_BTC", "BTC/THB");
    assert.deepEqual(pairs(), [0, 1, 1]);
  });

  it("create a list for a pair", async () => {
    const lists = threeLists();
    answer("New Watch List…");
    typed.push("DeFi");
    await pickListsOf(lists, () => "new", "THB_ETH", "ETH/THB");
    const created = lists.state.lists.at(-1);
    assert.deepEqual([created?.name, created?.pairs, lists.state.active], ["DeFi", ["THB_ETH"], "new"]);
  });

  it("accept no name that is taken, empty or unprintable", async () => {
    for (const name of ["majors", "FAVOURITES", " ", "a\u202Eb", "x".repeat(41)]) {
      const lists = threeLists();
      typed.push(name);
      assert.equal(await newList(lists, () => "new"), undefined, name);
      assert.equal(lists.state.lists.length, 3);
    }
    assert.equal(messages("input problem").length, 5);
  });

  it("rename a list, and move it without leaving the pick", async () => {
    const lists = threeLists();
    answer("Majors", "Rename…");
    typed.push("Large");
    await manageLists(lists);
    answer("Large", "Move Down", "Move Up", "Move Down");
    await manageLists(lists);
    assert.deepEqual(
      lists.state.lists.map(({ name }) => name),
      ["", "Small", "Large"],
    );
  });

  it("delete a list after a question, and keep the favourites", async () => {
    const lists = threeLists();
    answer("Small", "Delete…");
    await manageLists(lists);
    assert.equal(lists.state.lists.length, 3, "the question was not confirmed");
    answer("Small", "Delete…", "Delete Watch List");
    await manageLists(lists);
    assert.deepEqual(
      lists.state.lists.map(({ id }) => id),
      [FAVOURITES, "majors"],
    );
    assert.ok(!messages("choices")[0]?.includes("Favourites"));
  });
});
