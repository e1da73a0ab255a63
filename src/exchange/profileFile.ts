import * as z from "zod/mini";
import { specEndpoints } from "./endpoints.ts";
import { parseJsonFile } from "./jsonFile.ts";
import { placesOf } from "./features.ts";
import {
  draftOf,
  readProfile,
  type ProfileDraft,
  type ProfileProblem,
  type ServiceProfile,
} from "./profile.ts";

export const MAX_PROFILE_BYTES = 64 * 1024;

const VERSION = 1;
const text = (most: number) => z.string().check(z.maxLength(most));
const path = z.optional(text(500));
/** A path, or an object validated as part of the profile. */
const endpoint = z.optional(z.union([text(500), z.record(z.string(), z.unknown())]));

/** Schema of a profile file. It is strict, so that a file cannot contain a key. */
export const profileFileSchema = z.strictObject({
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

export interface ProfileFile {
  /** Name given by the author. Untrusted: escape before display. */
  readonly name: string | undefined;
  /** With the usual value of each missing part. */
  readonly draft: Required<ProfileDraft>;
  readonly profile: ServiceProfile;
}

/** Why a file was rejected. Fields are named by path: `fileField:paths.wallet`. */
export type ProfileFileProblem =
  | "fileTooLarge"
  | "fileNotJson"
  | "fileNotProfile"
  | `fileField:${string}`
  | ProfileProblem;

/** Parses a profile file. Returns the profile, or all problems; a file with a problem is not used at all. */
export function readProfileFile(bytes: Uint8Array): ProfileFile | ProfileFileProblem[] {
  if (bytes.length > MAX_PROFILE_BYTES) return ["fileTooLarge"];
  const json = parseJsonFile(bytes);
  if (json === undefined) return ["fileNotJson"];
  if (typeof json.value !== "object" || json.value === null || !("bidsideProfile" in json.value))
    return ["fileNotProfile"];
  const read = profileFileSchema.safeParse(json.value);
  const places = [...json.repeated, ...(read.success ? [] : placesOf(read.error))];
  if (!read.success || places.length > 0)
    return [...new Set(places)].map((place) => `fileField:${place}` as const);
  const { name, ...given } = read.data;
  const draft = draftOf(given);
  const profile = readProfile(draft);
  return Array.isArray(profile) ? profile : { name, draft, profile };
}

/** Serializes a profile. Contains no key or secret. */
export function writeProfileFile(draft: ProfileDraft, name?: string): string {
  const { baseUrl, headerPrefix, paths, walletMethod, symbolOrder, historyPath, features } = draft;
  const file = {
    bidsideProfile: VERSION,
    ...(name !== undefined && { name }),
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

/** The field that a problem is about, by its path in the file: `features.depth.path`. "" for the whole file. */
export function fieldOf(problem: ProfileFileProblem): string {
  const [kind = "", ...rest] = problem.split(":");
  const place = rest.join(":");
  switch (kind) {
    case "fileField":
      return place;
    case "feature":
      return `features.${place}`;
    case "endpoint":
      return `paths.${place}`;
    case "sharedPath":
      return sharedField(place);
    case "pathInvalid":
      return "paths";
    default:
      return kind.replace(/(?:Missing|Invalid|Insecure|Extras)$/, "");
  }
}

function sharedField(place: string): string {
  const [endpoint = ""] = place.split(" ");
  return `${specEndpoints.some((each) => each === endpoint) ? "paths" : "features"}.${endpoint}`;
}
