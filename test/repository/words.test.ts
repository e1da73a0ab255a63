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
  "addAccount",
  "addAlert",
  "addHolding",
  "addToList",
  "alertChannels",
  "cancelAllOfPair",
  "cancelOrder",
  "changeOrder",
  "editAccount",
  "editAlert",
  "editHolding",
  "editStatusBarText",
  "enterCost",
  "exportFills",
  "exportLists",
  "exportOrders",
  "exportProfile",
  "exportValues",
  "findPair",
  "hideSmallBalances",
  "importLists",
  "importProfile",
  "manageLists",
  "markNotPlaced",
  "markPlaced",
  "newList",
  "removeAccount",
  "removeCredentials",
  "renameAccount",
  "resetPractice",
  "setCredentials",
  "showValuesIn",
  "sortMarkets",
  "switchAccount",
  "switchList",
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

/** Where the words name the offers of the book, the commands of these names, or ask somebody. */
const BOOK_WORDS =
  /\bbest (?:bid|ask)\b|\b(?:bid|ask) at \{|\bbids\b|\basks\b|\bbid, ask, high\b|^place (?:bid|ask)$|\bask (?:its|the)\b/gi;

describe("the words of the interface", () => {
  it("call the sides of an order buy and sell, except in the names of two commands", () => {
    const texts = ["package.nls.json", "l10n/bundle.l10n.json"].flatMap((name) =>
      Object.values(JSON.parse(text(name)) as Record<string, string | { readonly message: string }>),
    );
    const all = texts.map((each) => (typeof each === "string" ? each : each.message));
    assert.deepEqual(
      all.filter((each) => /\b(?:bid|ask)\b/i.test(each.replaceAll(BOOK_WORDS, ""))),
      [],
    );
  });

  it("name settings by words that read as titles, because the editor makes titles of them: no Url, no Api, no Venue", () => {
    const { contributes } = JSON.parse(text("package.json")) as {
      contributes: { configuration: readonly { properties: object }[] };
    };
    const names = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
    assert.ok(names.length > 20);
    assert.deepEqual(
      names.filter((name) => /venue|url|api/i.test(name)),
      [],
    );
  });
});
