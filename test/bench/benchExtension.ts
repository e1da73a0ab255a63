import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Workbench } from "../journeys/support/workbench.ts";

export interface BenchExtension {
  readonly name: string;
  /** CommonJS of its entry: `exports.activate`. */
  readonly entry: string;
  /** What its manifest contributes. */
  readonly contributes: object;
  /** Files that are copied into its folder. */
  readonly files?: readonly string[];
}

const PUBLISHER = "bench";
const VERSION = "1.0.0";

/** Puts an extension that does as little as possible, for a floor, beside Bidside, and loads the window again. */
export async function installBenchExtension(
  workbench: Workbench,
  { name, entry, contributes, files = [] }: BenchExtension,
): Promise<void> {
  const extensions = join(workbench.userDataDir, "extensions");
  const folder = join(extensions, name);
  mkdirSync(folder);
  const manifest = {
    name,
    publisher: PUBLISHER,
    version: VERSION,
    engines: { vscode: "^1.101.0" },
    main: "./extension.js",
    activationEvents: ["onStartupFinished"],
    contributes,
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "extension.js"), entry);
  for (const file of files) cpSync(file, join(folder, basename(file)));
  const list = join(extensions, "extensions.json");
  const others = JSON.parse(readFileSync(list, "utf8")) as unknown[];
  const own = {
    identifier: { id: `${PUBLISHER}.${name}` },
    version: VERSION,
    location: { $mid: 1, path: folder, scheme: "file" },
    relativeLocation: name,
  };
  writeFileSync(list, JSON.stringify([...others, own]));
  await workbench.load();
}
