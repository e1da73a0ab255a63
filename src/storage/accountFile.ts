import { dirname } from "node:path";
import * as z from "zod/mini";
import { replaceFile } from "../files/atomicFiles.ts";
import { hasCode } from "../files/hasCode.ts";
import { thisSystem } from "../files/operatingSystem.ts";
import { FORMAT_VERSION, parseVersioned, versioned } from "../files/versioned.ts";
import { account as id } from "./orders/fields.ts";

const schema = z.strictObject({
  version: z.literal(FORMAT_VERSION),
  /** The account that a new window opens with. */
  last: z.optional(z.union([z.literal("practice"), id])),
  accounts: z.readonly(
    z.array(
      z.strictObject({
        id,
        label: z.string().check(z.minLength(1), z.maxLength(60)),
        /** Address, paths and features of the exchange, unvalidated. Contains no key. */
        profile: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
});

/** The live accounts of this computer, and the one that was chosen last. */
export type StoredAccounts = Omit<Readonly<z.infer<typeof schema>>, "version">;

/** The file of the live accounts. All windows share it, and nothing copies it to another computer. */
export class AccountFile {
  readonly #path: string;
  readonly #os: typeof thisSystem;

  constructor(path: string, os = thisSystem) {
    this.#path = path;
    this.#os = os;
  }

  /** No account if there is no file. Throws if it cannot be read, is damaged, or has a newer format. */
  read(): StoredAccounts {
    let text: string;
    try {
      text = String(this.#os.files.readFileSync(this.#path));
    } catch (error) {
      if (hasCode(error, "ENOENT")) return { accounts: [] };
      throw error;
    }
    const { version: _, ...stored } = schema.parse(parseVersioned(text));
    return stored;
  }

  /** Replaces the file atomically. Throws if the disk fails; the file is then unchanged. */
  write(stored: StoredAccounts): void {
    this.#os.files.mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const text = JSON.stringify(schema.parse(versioned(stored)), undefined, 2);
    replaceFile(this.#path, `${text}\n`, this.#os);
  }
}
