import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "..");

/** Editors and browsers installed on demand, and files left by runs. Ignored by Git. */
export const toolsFolder = join(root, ".vscode-test");

/** The built suite of editor tests, which an editor loads. */
export const suiteModule = join(root, "dist", "test", "editor", "suite.js");
