import type { Page } from "playwright-core";
import type { Theme } from "../themes.ts";
import { editorStyles } from "./editorStyles.ts";
import { nextFrames } from "./frames.ts";
import { familyOf, type Font, fontRules, loadedFonts } from "./fonts.ts";

const { rules, themes } = editorStyles();

/** The theme and font of a page until a test changes them. */
const PLAIN = { theme: "dark2026", font: "narrow" } as const;

/** All custom properties that some theme defines. */
const names = [...new Set(Object.values(themes).flatMap(({ variables }) => Object.keys(variables)))];

function variablesOf(theme: Theme, font: Font): Readonly<Record<string, string>> {
  return { ...themes[theme].variables, "--vscode-font-family": familyOf(font) };
}

const escaped = (text: string): string => text.replaceAll('"', "&quot;");

/** The HTML of a page as the editor completes it: its stylesheet and properties, which come before the page's own policy. */
export function inEditor(html: string): string {
  const { body } = themes[PLAIN.theme];
  const style = Object.entries(variablesOf(PLAIN.theme, PLAIN.font)).map((each) => each.join(": "));
  const attributes = Object.entries(body).map(([name, value]) => `${name}="${escaped(value)}"`);
  return html
    .replace("<html", () => `<html style="${escaped(style.join("; "))}"`)
    .replace("<head>", () => `<head><style>${[...rules, ...fontRules].join("\n")}</style>`)
    .replace("<body", () => `<body ${attributes.join(" ")}`);
}

/** Changes theme and font of a page in place, as the editor does; resolves once the page has rendered them. */
export async function applyLook(page: Page, theme: Theme, font: Font): Promise<void> {
  await fontsAreLoaded(page);
  await page.evaluate(
    ({ names, variables, body }) => {
      const { document } = globalThis as unknown as {
        readonly document: {
          readonly documentElement: {
            readonly style: {
              removeProperty(name: string): void;
              setProperty(name: string, to: string): void;
            };
          };
          readonly body: {
            className: string;
            setAttribute(name: string, value: string): void;
          };
        };
      };
      const { style } = document.documentElement;
      for (const name of names) style.removeProperty(name);
      for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
      const own = document.body.className.split(" ").filter((name) => !name.startsWith("vscode-"));
      for (const [name, value] of Object.entries(body))
        document.body.setAttribute(name, name === "class" ? [value, ...own].join(" ") : value);
    },
    { names, variables: variablesOf(theme, font), body: themes[theme].body },
  );
  await nextFrames(page, 2);
}

/** Waits until the page has both fonts, and is drawn with its own. */
export async function fontsAreLoaded(page: Page): Promise<void> {
  await page.evaluate(async (fonts) => {
    const { document } = globalThis as unknown as {
      readonly document: { readonly fonts: { load(font: string): Promise<unknown> } };
    };
    // A canvas does not wait for a font: what is drawn before has another one.
    await Promise.all(fonts.map((font) => document.fonts.load(font)));
  }, loadedFonts);
  await nextFrames(page, 2);
}
