import type { ProfileProblem } from "../../exchange/profile.ts";

/** The profile of a live account is invalid. */
export class ProfileError extends Error {
  readonly problems: readonly ProfileProblem[];

  constructor(problems: readonly ProfileProblem[]) {
    super(`The live profile cannot be used: ${problems.join(", ")}`);
    this.name = "ProfileError";
    this.problems = problems;
  }
}
