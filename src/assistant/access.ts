/** How much an assistant may do. Each level includes the levels before it. No level places an order. */
export const accessLevels = ["off", "market", "account", "prepare"] as const;
export type AccessLevel = (typeof accessLevels)[number];

/** Every tool, and the lowest level that has the tool. */
const toolLevels = {
  bidside_markets: "market",
  bidside_candles: "market",
  bidside_book: "market",
  bidside_alerts: "market",
  bidside_account: "account",
  bidside_orders: "account",
  bidside_prepareOrder: "prepare",
} as const satisfies Record<string, Exclude<AccessLevel, "off">>;

export type ToolName = keyof typeof toolLevels;

export const toolNames = Object.keys(toolLevels) as readonly ToolName[];

/** Whether a level has a tool. */
export function allows(level: AccessLevel, tool: ToolName): boolean {
  return accessLevels.indexOf(level) >= accessLevels.indexOf(toolLevels[tool]);
}

/** The tools of a level. */
export function toolsWithin(level: AccessLevel): readonly ToolName[] {
  return toolNames.filter((tool) => allows(level, tool));
}

export function isToolName(text: string): text is ToolName {
  return Object.hasOwn(toolLevels, text);
}

/** The level that a setting names. Anything but a known level is `off`. */
export function readLevel(value: unknown): AccessLevel {
  return accessLevels.find((level) => level === value) ?? "off";
}
