import { join } from "node:path";
import * as z from "zod/mini";
import { replaceFile } from "../files/atomicFiles.ts";
import { hasCode } from "../files/hasCode.ts";
import { thisSystem } from "../files/operatingSystem.ts";
import { FORMAT_VERSION } from "../files/versioned.ts";
import { account as id } from "./orders/fields.ts";
import { RecordFiles } from "./recordFiles.ts";

const fileSchema = z.strictObject({
  version: z.literal(FORMAT_VERSION),
  id,
  label: z.string().check(z.minLength(1), z.maxLength(60)),
  /** Address, paths and features of the exchange, unvalidated. Contains no key. */
  profile: z.record(z.string(), z.unknown()),
});

/** Removed accounts stay among the chosen ones until as many others were chosen. */
const MOST_RECENT = 50;

export type StoredAccount = Omit<Readonly<z.infer<typeof fileSchema>>, "version">;

/** The live accounts of this computer. All windows share them, and nothing copies them to another computer. */
export class AccountFiles extends RecordFiles<StoredAccount> {
  readonly #recentPath: string;
  readonly #os: typeof thisSystem;

  /** Creates the folder (0700); throws if that fails. */
  constructor(directory: string, os = thisSystem) {
    super(directory, { name: "account", parse: (fields) => fileSchema.parse(fields) }, os);
    this.#recentPath = join(directory, "recent");
    this.#os = os;
  }

  /** The ids of the accounts that were chosen, latest first. Throws if the disk fails. */
  get recent(): readonly string[] {
    try {
      return String(this.#os.files.readFileSync(this.#recentPath)).split("\n");
    } catch (error) {
      if (hasCode(error, "ENOENT")) return [];
      throw error;
    }
  }

  choose(account: string): void {
    const others = this.recent.filter((each) => each !== account);
    replaceFile(this.#recentPath, [account, ...others].slice(0, MOST_RECENT).join("\n"), this.#os);
  }
}
