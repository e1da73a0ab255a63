import { join, resolve } from "node:path";

/** The project's root folder. */
export const root = resolve(import.meta.dirname, "..");

/** Editors and browsers that were installed on demand, and the remains of runs. Git-ignored. */
export const toolsFolder = join(root, ".vscode-test");
