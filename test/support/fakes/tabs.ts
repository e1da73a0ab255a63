import type * as vscode from "vscode";
import { EventEmitter } from "./person.ts";

/** A tab that shows a page. */
export class TabInputWebview {
  readonly viewType: string;

  constructor(viewType: string) {
    this.viewType = viewType;
  }
}

const changes = new EventEmitter<Pick<vscode.TabChangeEvent, "opened" | "changed">>();

/** The editor's groups of tabs: one without a tab, until a test opens others. */
export const tabGroups = {
  onDidChangeTabs: changes.event,
  /** The editor opens a tab that it does not describe. */
  openUndescribed(): void {
    changes.fire({ opened: [{ input: undefined } as vscode.Tab], changed: [] });
  },
  all: [{ viewColumn: 1, tabs: [] }] as unknown as readonly vscode.TabGroup[],
  get activeTabGroup(): vscode.TabGroup | undefined {
    return this.all.find(({ isActive }) => isActive) ?? this.all[0];
  },
  close(closed: readonly vscode.Tab[]): Promise<boolean> {
    this.all = this.all.map((group) => ({
      ...group,
      tabs: group.tabs.filter((tab) => !closed.includes(tab)),
    }));
    return Promise.resolve(true);
  },
};
