import * as vscode from "vscode";
import { panelTypes } from "../../contributions.ts";

type PageType = (typeof panelTypes)[keyof typeof panelTypes];

/**
 * The column for a new page. Ticket and chart are needed side by side, so neither may cover the other: a chart opens
 * among other charts, else beside the ticket; a ticket opens beside the active chart.
 */
export function columnFor(type: PageType): vscode.ViewColumn {
  const groups = vscode.window.tabGroups.all;
  const { activeTabGroup } = vscode.window.tabGroups;
  const showsOther = ({ activeTab }: vscode.TabGroup): boolean =>
    activeTab !== undefined && !isPage(activeTab, type) && isOurs(activeTab);
  const free = groups.filter((group) => !showsOther(group));
  const own = free.find(({ tabs }) => tabs.some((tab) => isPage(tab, type)));
  if (own) return own.viewColumn;
  if (!showsOther(activeTabGroup)) return vscode.ViewColumn.Active;
  return free[0]?.viewColumn ?? vscode.ViewColumn.Beside;
}

/**
 * All tabs of this type, including those of a stopped extension host, which stay on screen but cannot be reached.
 */
export function tabsOf(type: PageType): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => isPage(tab, type)));
}

function isOurs(tab: vscode.Tab): boolean {
  return Object.values(panelTypes).some((type) => isPage(tab, type));
}

/** The editor prefixes the type: "mainThreadWebview-bidside.chart". */
function isPage({ input }: vscode.Tab, type: PageType): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(type);
}
