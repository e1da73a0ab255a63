import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, root), "utf8");

const titles = new Map(
  Object.entries(JSON.parse(text("package.nls.json")) as Record<string, string>).flatMap(([key, title]) => {
    const [, command] = /^command\.(\w+)\.title$/.exec(key) ?? [];
    return command === undefined ? [] : [[command, title] as const];
  }),
);

/** Commands that always ask for something before they act: in an input box, a pick or a dialog. */
const asking: readonly string[] = [
  "addAlert",
  "addToList",
  "alertChannels",
  "changeOrder",
  "editAlert",
  "editStatusBarText",
  "enterCost",
  "exportFills",
  "exportLists",
  "exportOrders",
  "exportProfile",
  "findPair",
  "hideSmallBalances",
  "importLists",
  "importProfile",
  "manageLists",
  "markNotPlaced",
  "markPlaced",
  "newList",
  "removeCredentials",
  "resetPractice",
  "sameAccount",
  "setCredentials",
  "setUpLive",
  "showValuesIn",
  "sortMarkets",
  "switchList",
  "switchVenue",
];

const SMALL_WORDS: ReadonlySet<string> = new Set([
  "a",
  "an",
  "and",
  "as",
  "from",
  "in",
  "of",
  "or",
  "the",
  "to",
]);

describe("the title of a command", () => {
  it("has a capital at every word except the small words in between", () => {
    assert.ok(titles.size > 20, `${titles.size} found`);
    for (const title of titles.values()) {
      const words = title.replace(/…$/, "").split(" ");
      for (const [at, word] of words.entries()) {
        const isSmall = SMALL_WORDS.has(word) && at > 0 && at < words.length - 1;
        assert.ok(isSmall || /^[A-Z]/.test(word), title);
      }
    }
  });

  it("ends in an ellipsis exactly if the command asks for something first", () => {
    assert.deepEqual(
      [...titles]
        .filter(([, title]) => title.endsWith("…"))
        .map(([command]) => command)
        .sort(),
      asking,
    );
  });
});
