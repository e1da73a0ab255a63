import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ServedFile } from "./pageServer.ts";

const WEIGHTS = [400, 700] as const;

/**
 * The files of the fonts by weight: one font is much narrower than those of operating systems, the other one as wide as
 * the widest of them.
 */
const files = {
  narrow: {
    400: import.meta.resolve("@fontsource/archivo-narrow/files/archivo-narrow-latin-400-normal.woff2"),
    700: import.meta.resolve("@fontsource/archivo-narrow/files/archivo-narrow-latin-700-normal.woff2"),
  },
  wide: {
    400: import.meta.resolve("@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2"),
    700: import.meta.resolve("@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff2"),
  },
} as const;

export type Font = keyof typeof files;

export const fontNames = Object.keys(files) as readonly Font[];

/** The value of `font-family` for a font. The wide one also has the signs that the narrow one lacks, such as ✓ and ●. */
export function familyOf(font: Font): string {
  return `"test ${font}", "test wide"`;
}

const pathOf = (font: Font, weight: number): string => `/fonts/${font}-${weight}.woff2`;

/** The files of the fonts, by their paths at the pages' origin. */
export function fontFiles(): Readonly<Record<string, ServedFile>> {
  const all = fontNames.flatMap((font) =>
    WEIGHTS.map((weight) => {
      const body = readFileSync(fileURLToPath(files[font][weight]));
      return [pathOf(font, weight), ["font/woff2", body]] as const;
    }),
  );
  return Object.fromEntries(all);
}

/** The rules that load the fonts. */
export const fontRules: readonly string[] = fontNames.flatMap((font) =>
  WEIGHTS.map(
    (weight) =>
      `@font-face { font-family: "test ${font}"; font-weight: ${weight}; font-display: block; src: url("${pathOf(font, weight)}"); }`,
  ),
);

/** Each face of the fonts, as CSS writes a font. */
export const loadedFonts: readonly string[] = fontNames.flatMap((font) =>
  WEIGHTS.map((weight) => `${weight} 13px "test ${font}"`),
);
