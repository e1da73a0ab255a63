/** Access levels of an assistant, lowest first. Each level includes those before it. No level can place an order. */
export const accessLevels = ["off", "market", "account", "prepare"] as const;
export type AccessLevel = (typeof accessLevels)[number];

/** The lowest access level at which each tool is available. */
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

export function allows(level: AccessLevel, tool: ToolName): boolean {
  return accessLevels.indexOf(level) >= accessLevels.indexOf(toolLevels[tool]);
}

export function toolsWithin(level: AccessLevel): readonly ToolName[] {
  return toolNames.filter((tool) => allows(level, tool));
}

export function isToolName(text: string): text is ToolName {
  return Object.hasOwn(toolLevels, text);
}
