import * as z from "zod/mini";
import { repeatedKeys } from "../market/repeatedKeys.ts";
import { placesOf } from "./features.ts";
import { readProfile, type ProfileDraft, type ProfileProblem, type ServiceProfile } from "./profile.ts";

/** The largest profile file that is read. */
export const MOST_PROFILE_BYTES = 64 * 1024;

const VERSION = 1;
const text = (most: number) => z.string().check(z.maxLength(most));
const path = z.optional(text(500));
/** A path, or an object that the profile checks. */
const endpoint = z.optional(z.union([text(500), z.record(z.string(), z.unknown())]));

/** A profile file. It has no place for a key: what is not listed here is refused. */
const fileSchema = z.strictObject({
  bidsideProfile: z.literal(VERSION),
  name: z.optional(text(100)),
  baseUrl: text(2000),
  headerPrefix: text(100),
  paths: z.optional(
    z.strictObject({ serverTime: endpoint, tickers: endpoint, wallet: endpoint, placeBid: endpoint }),
  ),
  walletMethod: z.optional(z.enum(["auto", "GET", "POST"])),
  symbolOrder: z.optional(z.enum(["quoteFirst", "baseFirst"])),
  historyPath: path,
  features: z.optional(z.record(z.string(), z.unknown())),
});

/** A profile of a file. */
export interface ProfileFile {
  /** The name that its author gave. Foreign text: escape it where it is shown. */
  readonly name: string | undefined;
  /** The settings of the file, with the defaults for those that are missing. */
  readonly draft: Required<ProfileDraft>;
  /** The same, checked. */
  readonly profile: ServiceProfile;
}

/** Why a file is no profile. A field by its place: `fileField:paths.wallet`. */
export type ProfileFileProblem =
  | "fileTooLarge"
  | "fileNotJson"
  | "fileNotProfile"
  | `fileField:${string}`
  | ProfileProblem;

/** Reads a profile file: the profile, or all its problems. Nothing of a file with a problem is used. */
export function readProfileFile(bytes: Uint8Array): ProfileFile | ProfileFileProblem[] {
  if (bytes.length > MOST_PROFILE_BYTES) return ["fileTooLarge"];
  const json = parse(bytes);
  if (json === undefined) return ["fileNotJson"];
  if (typeof json.value !== "object" || json.value === null || !("bidsideProfile" in json.value))
    return ["fileNotProfile"];
  const read = fileSchema.safeParse(json.value);
  const places = [...json.repeated, ...(read.success ? [] : placesOf(read.error))];
  if (!read.success || places.length > 0)
    return [...new Set(places)].map((place) => `fileField:${place}` as const);
  const { name, baseUrl, headerPrefix, paths, walletMethod, symbolOrder, historyPath, features } = read.data;
  const draft: Required<ProfileDraft> = {
    baseUrl,
    headerPrefix,
    paths: { ...paths },
    walletMethod: walletMethod ?? "auto",
    symbolOrder: symbolOrder ?? "quoteFirst",
    historyPath: historyPath ?? "",
    features: { ...features },
  };
  const profile = readProfile(draft);
  return Array.isArray(profile) ? profile : { name, draft, profile };
}

/** The text of a profile file. It has the settings of a profile and nothing else: no key, no secret. */
export function writeProfileFile(draft: ProfileDraft): string {
  const { baseUrl, headerPrefix, paths, walletMethod, symbolOrder, historyPath, features } = draft;
  const file = {
    bidsideProfile: VERSION,
    baseUrl,
    headerPrefix,
    paths,
    walletMethod,
    symbolOrder,
    ...(historyPath && { historyPath }),
    features: features ?? {},
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

interface Parsed {
  readonly value: unknown;
  /** Places of keys that occur twice: a reader may see the first value, and the parser takes the last. */
  readonly repeated: readonly string[];
}

function parse(bytes: Uint8Array): Parsed | undefined {
  try {
    const source = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(source);
    return { value, repeated: repeatedKeys(source).map((keys) => keys.join(".")) };
  } catch {
    return undefined;
  }
}
