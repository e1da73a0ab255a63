import { globSync, readFileSync, writeFileSync } from "node:fs";
import { getL10nJson } from "@vscode/l10n-dev";
import { serviceCodeSentences } from "../src/exchange/serviceCodes.ts";
import { readCommandLine } from "./commandLine.ts";

export const bundlePath = new URL("../l10n/bundle.l10n.json", import.meta.url);
const sources = new URL("../src/", import.meta.url);

/**
 * Generates the base bundle for translators: the texts of all calls to `vscode.l10n.t`, and those of the table of error
 * codes, which a search for such calls does not find.
 */
export async function makeBundle(): Promise<string> {
  const files = globSync("**/*.ts", { cwd: sources }).sort();
  const texts = files.map((name) => readFileSync(new URL(name.replaceAll("\\", "/"), sources), "utf8"));
  // Parsed as one text, because each text costs a tenth of a second, however short. Files without calls are left out.
  const contents = texts.filter((text) => text.includes("l10n")).join("\n");
  const found = Object.keys(await getL10nJson([{ extension: ".ts", contents }]));
  const sentences = [...new Set([...found, ...serviceCodeSentences()])].sort();
  return `${JSON.stringify(Object.fromEntries(sentences.map((sentence) => [sentence, sentence])), undefined, 2)}\n`;
}

if (import.meta.main) {
  readCommandLine({
    usage: `Usage: npm run l10n

Writes l10n/bundle.l10n.json: every sentence of the interface, for translators.

  --help   prints this`,
  });
  writeFileSync(bundlePath, await makeBundle());
}
