import * as vscode from "vscode";
import { colorIds } from "../../contributions.ts";
import { directionOf } from "./numberText.ts";

const COLORS = [new vscode.ThemeColor(colorIds.up), new vscode.ThemeColor(colorIds.down)] as const;
const FLAT = new vscode.ThemeIcon("dash");

function arrows([up, down]: readonly [vscode.ThemeColor, vscode.ThemeColor]) {
  return {
    up: new vscode.ThemeIcon("arrow-up", up),
    down: new vscode.ThemeIcon("arrow-down", down),
    flat: FLAT,
  };
}

const ICONS = { normal: arrows(COLORS), inverted: arrows([COLORS[1], COLORS[0]]) };

/** An arrow in the user's colour for its direction; the shape shows the direction too. */
export function changeIcon(percent: number | undefined, inverted: boolean): vscode.ThemeIcon {
  return ICONS[inverted ? "inverted" : "normal"][directionOf(percent)];
}
