import * as vscode from "vscode";
import { panelTypes } from "../../contributions.ts";

type PageType = (typeof panelTypes)[keyof typeof panelTypes];

/**
 * The column in which a new page opens. A person needs order ticket and chart side by side, so neither covers the other: a
 * chart opens where other charts are, else beside the ticket; a ticket opens beside the chart in front.
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

/** The tabs of this type, also those of an extension host that stopped: they stay on screen, but cannot be reached. */
export function tabsOf(type: PageType): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => isPage(tab, type)));
}

function isOurs(tab: vscode.Tab): boolean {
  return Object.values(panelTypes).some((type) => isPage(tab, type));
}

/** The editor adds a prefix to the type of a page: "mainThreadWebview-bidside.chart". */
function isPage({ input }: vscode.Tab, type: PageType): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(type);
}
