/** Colours as `rgba(…)`, and font, of the editor's theme. */
export type ChartTheme = Readonly<ReturnType<typeof readTheme>>;

/** CSS of each colour, in order of preference. Every theme defines the last one. */
const COLOURS = {
  background: "var(--vscode-editor-background)",
  text: "var(--vscode-foreground)",
  line: "var(--vscode-contrastBorder, var(--vscode-widget-border, var(--vscode-descriptionForeground)))",
  up: "var(--vscode-bidside-up, var(--vscode-charts-green))",
  down: "var(--vscode-bidside-down, var(--vscode-charts-red))",
  blue: "var(--vscode-charts-blue)",
  yellow: "var(--vscode-charts-yellow)",
  purple: "var(--vscode-charts-purple)",
} as const;

const VOLUME_ALPHA = 0.55;
/** The grid is a faint shade of the text, because some themes' line colours are too strong. */
const GRID_ALPHA = 0.1;

/** The page's current theme; `inverted` swaps the colours of rising and falling prices. */
export function readTheme(inverted: boolean) {
  const [up, down] = inverted ? [COLOURS.down, COLOURS.up] : [COLOURS.up, COLOURS.down];
  const probe = document.createElement("span");
  document.body.append(probe);
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const style = getComputedStyle(document.body);
  /** Converts any CSS colour to the notation that the chart library reads. */
  const colour = (css: string, alpha = 1): string => {
    probe.style.color = css;
    if (!paint) return getComputedStyle(probe).color;
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = getComputedStyle(probe).color;
    paint.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, opacity = 0] = paint.getImageData(0, 0, 1, 1).data;
    return `rgba(${red}, ${green}, ${blue}, ${((opacity / 255) * alpha).toFixed(3)})`;
  };
  const theme = {
    background: colour(COLOURS.background),
    text: colour(COLOURS.text),
    faint: colour(COLOURS.text, GRID_ALPHA),
    line: colour(COLOURS.line),
    up: colour(up),
    down: colour(down),
    blue: colour(COLOURS.blue),
    yellow: colour(COLOURS.yellow),
    purple: colour(COLOURS.purple),
    volumeUp: colour(up, VOLUME_ALPHA),
    volumeDown: colour(down, VOLUME_ALPHA),
    fontFamily: style.fontFamily,
    fontSize: Number.parseFloat(style.fontSize) || 13,
  };
  probe.remove();
  return theme;
}

/** Calls `changed` when the editor's theme changes, which rewrites the page's variables and the body's class. */
export function onDidChangeTheme(changed: () => void): void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["style"] });
  observer.observe(document.body, { attributeFilter: ["class", "data-vscode-theme-id"] });
}
