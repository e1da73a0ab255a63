import { join } from "node:path";
import * as z from "zod/mini";
import { namesIn, replaceFile } from "../files/atomicFiles.ts";
import { thisSystem } from "../files/operatingSystem.ts";
import { FORMAT_VERSION, parseVersioned, versioned } from "../files/versioned.ts";

const problemSchema = z.discriminatedUnion("kind", [
  /** `unreachable`: nothing was sent. `noAnswer`: the service may have the message. */
  z.strictObject({ kind: z.enum(["redirect", "insecure", "unreachable", "noAnswer"]) }),
  z.strictObject({ kind: z.literal("status"), status: z.int() }),
  /** The webhook is on, but this computer has no URL, or it cannot be read. */
  z.strictObject({ kind: z.literal("notSetUp") }),
  z.strictObject({ kind: z.enum(["programMissing", "programHung"]) }),
  /** The exit code is missing if the program crashed. */
  z.strictObject({ kind: z.literal("programFailed"), exitCode: z.optional(z.int()) }),
  /** All notifications of a day were used. */
  z.strictObject({ kind: z.literal("overLimit") }),
  /** Attempts cannot be recorded. */
  z.strictObject({ kind: z.literal("disk") }),
  z.strictObject({ kind: z.literal("unexpected") }),
]);

/** Why a channel did not deliver a notification. Nothing of a URL or a message is in it. */
export type ChannelProblem = z.infer<typeof problemSchema>;

const fileSchema = z.strictObject({ version: z.literal(FORMAT_VERSION), problem: problemSchema });
const FILE = /^problem-(\w+)\.json$/;

/** Why the latest attempt of each channel failed, whichever window made it, in a file each. */
export class ChannelProblems {
  readonly #folder: string;
  readonly #os: typeof thisSystem;

  constructor(folder: string, os = thisSystem) {
    this.#folder = folder;
    this.#os = os;
  }

  /** By channel. Throws if the folder cannot be read. */
  list(): Map<string, ChannelProblem> {
    const found = new Map<string, ChannelProblem>();
    for (const name of namesIn(this.#folder, this.#os.files)) {
      const [, channel] = FILE.exec(name) ?? [];
      const problem = channel === undefined ? undefined : this.read(channel);
      if (channel !== undefined && problem) found.set(channel, problem);
    }
    return found;
  }

  /** Undefined if there is none, or a newer version wrote it. */
  read(channel: string): ChannelProblem | undefined {
    try {
      return fileSchema.parse(parseVersioned(String(this.#os.files.readFileSync(this.#pathOf(channel)))))
        .problem;
    } catch {
      return undefined;
    }
  }

  /** Throws if the problem cannot be written. */
  put(channel: string, problem: ChannelProblem): void {
    this.#os.files.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    replaceFile(this.#pathOf(channel), JSON.stringify(versioned({ problem })), this.#os);
  }

  /** Throws if the problem cannot be removed. */
  remove(channel: string): void {
    this.#os.files.rmSync(this.#pathOf(channel), { force: true });
  }

  #pathOf(channel: string): string {
    return join(this.#folder, `problem-${channel}.json`);
  }
}
