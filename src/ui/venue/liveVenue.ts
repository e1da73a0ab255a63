import type { VenueOpening } from "../../desk/venue.ts";
import { type ProfileDraft, readProfile } from "../../exchange/profile.ts";
import { profileSetting } from "../settings.ts";
import type { CredentialStore } from "./credentialStore.ts";
import { ProfileError } from "../text/profileError.ts";

/** The configured exchange, or that of `draft`, with the key of an account, by id, for its origin. */
export function openLive(
  store: CredentialStore,
  account: string,
  draft: ProfileDraft = profileSetting(),
): VenueOpening {
  const profile = readProfile(draft);
  if (Array.isArray(profile)) throw new ProfileError(profile);
  return {
    name: profile.baseUrl.host,
    profile,
    credentials: () => store.read({ account, origin: profile.baseUrl.origin }),
    addressMayChange: false,
  };
}
