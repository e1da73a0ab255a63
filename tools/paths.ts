import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "..");

/** Editors and browsers installed on demand, and files left by runs. Ignored by Git. */
export const toolsFolder = join(root, ".vscode-test");
