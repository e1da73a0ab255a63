import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EditorOutcome } from "../../test/editor/suite.ts";
import { root } from "../paths.ts";

/** The built suite, as an editor loads it. */
export const suiteModule = join(root, "dist", "test", "editor", "suite.js");

/** What the suite left behind; nothing when it never came to its end. */
export function readEditorOutcome(file: string): EditorOutcome | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as EditorOutcome) : undefined;
}
