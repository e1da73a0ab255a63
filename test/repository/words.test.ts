import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, root), "utf8");

/** The texts that a person reads, without the pages that define the words and their replacements. */
const documents = [
  "package.nls.json",
  "l10n/bundle.l10n.json",
  "README.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  ...globSync("docs/**/*.md", { cwd: root }).filter((file) => !/(?:interface|words)\.md$/.test(file)),
];

/** Phrases that readers stumbled over, or that named a thing by a second word. docs/words.md has the words to use. */
const oldPhrases = [
  "stand in the sidebar",
  "sidebar",
  "the whole ticker",
  "becomes of it",
  "became of it",
  "has no address yet",
  "of Bidside's own",
  "nobody should agree",
  "cannot read",
  "is read with your API key",
  "one that cannot be read stops",
  "Left after it",
  "out of the amount",
  "Together",
  "Or the quantity to buy",
  "offers that rate or better",
  "then for the exchange",
  "you did not confirm",
  "Correct the marked",
  "Bidside is checking your balance",
  "Do not bid again",
  "before you have looked",
  "Your word",
  "settled by",
  "looked at",
  "a look at",
  "Before it could leave",
  "to mend it",
  "that no key has",
  "is already there",
  "arm it again",
  "Arms itself",
  "armed",
  "your alert “",
  "is in trouble",
  "asks for a pause",
  "asks to wait",
  "go from candle to candle",
  "set aside",
  "nobody documented",
  "Where to watch and trade",
  "Switch Venue",
  "Alert Me",
  "the rest to your word",
  "false zero",
  "pressing on in",
  "where the walls are",
  "stands at each",
  // One word for each thing: "exchange" and "computer".
  "venue",
  "this machine",
];

/** The old phrases in a text, each with its line. Ids, settings and the paths of files keep their names. */
function found(document: string): string[] {
  const lines = document.replaceAll(/bidside\.[\w.]+|`[^`\n]*`|\]\([^)]*\)/g, "").split("\n");
  return oldPhrases.flatMap((phrase) =>
    lines
      .filter((line) => line.toLowerCase().includes(phrase.toLowerCase()))
      .map((line) => `${phrase}: ${line.trim()}`),
  );
}

describe("the words of the interface", () => {
  for (const name of documents) {
    it(`are plain in ${name}`, () => {
      assert.deepEqual(found(text(name).replaceAll(/^ *"[\w.]+": /gm, "")), []);
    });
  }
});

const titles = new Map(
  Object.entries(JSON.parse(text("package.nls.json")) as Record<string, string>).flatMap(([key, title]) => {
    const [, command] = /^command\.(\w+)\.title$/.exec(key) ?? [];
    return command === undefined ? [] : [[command, title] as const];
  }),
);

/** Commands that always ask for something before they act: in an input box, a pick or a dialog. */
const asking: readonly string[] = [
  "addAlert",
  "editAlert",
  "enterCost",
  "exportFills",
  "exportOrders",
  "exportProfile",
  "findPair",
  "importProfile",
  "markNotPlaced",
  "markPlaced",
  "removeCredentials",
  "resetPractice",
  "setCredentials",
  "setUpLive",
  "sortMarkets",
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
