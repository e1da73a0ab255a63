import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const FILE = import.meta.resolve("@fontsource/open-sans/files/open-sans-latin-400-normal.woff2");
const PATH = "/bidside-test-font.woff2";
const RULES = `
  @font-face { font-family: "test usual"; font-display: block; src: url("${PATH}"); }
  .monaco-workbench { font-family: "test usual" !important; }
`;

/** Shows the workbench in a font that the tests bring, with digits of one width, so that rows depend on no computer's fonts. */
export async function setFont(page: Page): Promise<void> {
  const body = readFileSync(fileURLToPath(FILE));
  await page.route(`**${PATH}`, (route) => route.fulfill({ contentType: "font/woff2", body }));
  await page.addStyleTag({ content: RULES });
}
