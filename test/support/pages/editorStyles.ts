import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame, Page } from "playwright-core";
import { root } from "../../../tools/paths.ts";
import type { Theme } from "../themes.ts";

const FIXTURE = join(root, "test/fixtures/editorStyles.json");

/** What VS Code adds to a web page, as a journey records it in a real editor. */
export interface EditorStyles {
  /** The rules of its own stylesheet. */
  readonly rules: readonly string[];
  readonly themes: Readonly<Record<Theme, ThemeStyles>>;
}

interface ThemeStyles {
  /** Attributes of the body by name. Of its classes, those of the editor. */
  readonly body: Readonly<Record<string, string>>;
  /** The custom properties that pages use, by name. A theme does not define each of them. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The recorded styles. */
export function editorStyles(): EditorStyles {
  return JSON.parse(readFileSync(FIXTURE, "utf8")) as EditorStyles;
}

/** Replaces the recorded styles. */
export function recordEditorStyles(styles: EditorStyles): void {
  writeFileSync(FIXTURE, `${JSON.stringify(styles, undefined, 2)}\n`);
}

/**
 * The editor's custom properties that styles and scripts of our pages use. Without its font families, which differ by
 * operating system: page tests bring their own.
 */
export function usedVariables(): ReadonlySet<string> {
  const sources = globSync("src/webview/**/*.{css,ts,html}", { cwd: root });
  const names = sources.flatMap(
    (file) => readFileSync(join(root, file), "utf8").match(/--vscode-[\w-]+/g) ?? [],
  );
  return new Set(names.filter((name) => !name.endsWith("font-family")));
}

/** Reads what the editor added to one of our pages in its current theme. */
export async function stylesOf(page: Frame | Page): Promise<ThemeStyles & Pick<EditorStyles, "rules">> {
  const found = await page.evaluate(() => {
    interface Style extends Iterable<string> {
      getPropertyValue(name: string): string;
    }
    const { document } = globalThis as unknown as {
      readonly document: {
        readonly documentElement: { readonly style: Style };
        readonly body: { readonly attributes: Iterable<{ readonly name: string; readonly value: string }> };
        getElementById(id: string): {
          readonly sheet: { readonly cssRules: Iterable<{ readonly cssText: string }> } | null;
        } | null;
      };
    };
    const { style } = document.documentElement;
    const rules = [...(document.getElementById("_defaultStyles")?.sheet?.cssRules ?? [])];
    return {
      rules: rules.flatMap(({ cssText }) => cssText.split("\n")).map((line) => line.trim()),
      body: [...document.body.attributes].map(({ name, value }) => [name, value] as const),
      variables: [...style].map((name) => [name, style.getPropertyValue(name)] as const),
    };
  });
  const { rules } = found;
  const wanted = usedVariables();
  const classes = (value: string): string =>
    value
      .split(" ")
      .filter((name) => name.startsWith("vscode-"))
      .toSorted()
      .join(" ");
  const body = found.body
    .filter(([name]) => name === "class" || name === "role" || name.startsWith("data-vscode-theme-"))
    .map(([name, value]) => [name, name === "class" ? classes(value) : value] as const);
  const isUsed = (name: string): boolean =>
    wanted.has(name) ||
    (rules.some((rule) => rule.includes(`var(${name})`)) && !name.endsWith("font-family"));
  return {
    rules,
    body: Object.fromEntries(body),
    variables: Object.fromEntries(found.variables.filter(([name]) => isUsed(name)).toSorted()),
  };
}
