/** The themes that every state is checked in. */
export const themes = {
  dark2026: "Dark 2026",
  light2026: "Light 2026",
  dark: "Dark Modern",
  light: "Light Modern",
  highContrast: "Default High Contrast",
  highContrastLight: "Default High Contrast Light",
} as const;

export type Theme = keyof typeof themes;

/** Their names in the theme picker. */
export const pickedThemes: Readonly<Record<Theme, string>> = {
  ...themes,
  highContrast: "Dark High Contrast",
  highContrastLight: "Light High Contrast",
};
