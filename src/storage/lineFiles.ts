import * as z from "zod/mini";
import { thisSystem } from "../files/operatingSystem.ts";
import { FORMAT_VERSION } from "../files/versioned.ts";
import { type DrawnLine, MAX_LINE_NAME } from "../market/drawnLine.ts";
import { RecordFiles } from "./recordFiles.ts";

const price = z.string().check(z.regex(/^(?:0|[1-9]\d{0,29})(?:\.\d{1,30})?$/));
const point = z.strictObject({ at: z.int().check(z.nonnegative(), z.lte(8.64e15)), price });
const fileSchema = z.strictObject({
  version: z.literal(FORMAT_VERSION),
  id: z.uuid(),
  venue: z.enum(["practice", "live"]),
  origin: z.string().check(z.maxLength(320)),
  symbol: z.string().check(z.minLength(1), z.maxLength(64)),
  name: z.string().check(z.maxLength(MAX_LINE_NAME)),
  shape: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("level"), price }),
    z.strictObject({ kind: z.literal("trend"), from: point, to: point }),
  ]),
});

/** The lines that the user of this computer drew in charts. */
export class LineFiles extends RecordFiles<DrawnLine> {
  /** Creates the folder (0700); throws if that fails. */
  constructor(directory: string, os = thisSystem) {
    super(directory, { name: "line", parse: (fields) => fileSchema.parse(fields) }, os);
  }
}
