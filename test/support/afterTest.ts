const ends: (() => unknown)[] = [];

// Runs after the hooks of each suite.
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Calls `end` after the running test, also if it fails; the last one registered is called first. */
export function afterTest(end: () => unknown): void {
  ends.push(end);
}
