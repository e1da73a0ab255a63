import { join } from "node:path";
import { replaceFile } from "../files/atomicFiles.ts";
import { type OperatingSystem, type Files, thisSystem } from "../files/operatingSystem.ts";
import { NewerFormatError, parseVersioned, versioned } from "../files/versioned.ts";

/** A kind of record that is stored. */
export interface RecordKind<Stored> {
  /** Begins the names of its files. */
  readonly name: string;
  /** Throws if the fields, of which one is the version, are not a record of this kind. */
  readonly parse: (fields: unknown) => Stored & { readonly version: number };
}

/**
 * Stores each record in a file of its own, replaced atomically, so that windows that write at the same time lose no
 * record and a crash leaves no partial file.
 */
export class RecordFiles<Stored extends { readonly id: string }> {
  readonly #directory: string;
  readonly #kind: RecordKind<Stored>;
  readonly #files: Files;
  readonly #os: OperatingSystem;
  /** Number of records in a newer format that were listed last. They are left alone. */
  newer = 0;

  /** Creates the folder (0700); throws if that fails. */
  constructor(directory: string, kind: RecordKind<Stored>, os = thisSystem) {
    this.#directory = directory;
    this.#kind = kind;
    this.#os = os;
    this.#files = os.files;
    this.#files.mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  /** All readable records, by id. Files that are not records are ignored. Throws if the folder cannot be read. */
  list(): Stored[] {
    const pattern = new RegExp(`^${this.#kind.name}-[0-9a-f-]{16,36}\\.json$`);
    const names = this.#files.readdirSync(this.#directory).filter((name) => pattern.test(name));
    const found = names.sort().map((name) => this.#read(name));
    this.newer = found.filter((each) => each === "newer").length;
    return found.filter((each) => typeof each === "object");
  }

  /** The stored record; undefined if it is gone or unreadable. */
  read(id: string): Stored | undefined {
    const found = this.#read(this.#nameOf(id));
    return found === "newer" ? undefined : found;
  }

  /** Throws if the record cannot be written; the previous version is then intact. */
  put(stored: Stored): void {
    replaceFile(join(this.#directory, this.#nameOf(stored.id)), JSON.stringify(versioned(stored)), this.#os);
  }

  remove(id: string): void {
    this.#files.rmSync(join(this.#directory, this.#nameOf(id)), { force: true });
  }

  #nameOf(id: string): string {
    return `${this.#kind.name}-${id}.json`;
  }

  #read(name: string): Stored | "newer" | undefined {
    try {
      const text = String(this.#files.readFileSync(join(this.#directory, name)));
      const { version: _, ...fields } = this.#kind.parse(parseVersioned(text));
      const stored = fields as unknown as Stored;
      return name === this.#nameOf(stored.id) ? stored : undefined;
    } catch (error) {
      // Otherwise damaged, or deleted by another window since it was listed.
      return error instanceof NewerFormatError ? "newer" : undefined;
    }
  }
}
