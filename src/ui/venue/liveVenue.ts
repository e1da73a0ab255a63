import type { VenueOpening } from "../../desk/venue.ts";
import type { ProfileDraft, ProfileProblem } from "../../exchange/profile.ts";
import { profileSetting } from "../settings.ts";
import type { CredentialStore } from "./credentialStore.ts";

/** The live profile in the settings is invalid. */
export class ProfileError extends Error {
  readonly problems: readonly ProfileProblem[];

  constructor(problems: readonly ProfileProblem[]) {
    super(`The live profile cannot be used: ${problems.join(", ")}`);
    this.name = "ProfileError";
    this.problems = problems;
  }
}

/** The exchange of the settings, or of `draft` if given, with the key for its origin. */
export async function openLive(
  store: CredentialStore,
  draft: ProfileDraft = profileSetting(),
): Promise<VenueOpening> {
  const { readProfile } = await import("../../exchange/profile.ts");
  const profile = readProfile(draft);
  if (Array.isArray(profile)) throw new ProfileError(profile);
  return {
    name: profile.baseUrl.host,
    profile,
    credentials: () => store.forOrigin(profile.baseUrl.origin),
    mayMove: false,
  };
}
