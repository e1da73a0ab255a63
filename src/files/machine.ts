import type { Computer } from "./computer.ts";

/** On Linux: the id of the installation, and the number of the namespace that differs in each container. */
const LINUX = { installation: "/etc/machine-id", namespace: "/proc/self/ns/uts" } as const;

/**
 * A text that is the same for all windows of a user on this computer, and stays the same in every network. The host's name
 * does not: macOS takes it from the network.
 *
 * On Linux it differs from other computers and containers, because these may share a home folder. Elsewhere it does not
 * name the computer: there, two computers with one home folder read the market each for itself.
 */
export function machineText({ files, platform, uid }: Pick<Computer, "files" | "platform" | "uid">): string {
  if (platform !== "linux") return `${platform} ${uid}`;
  let [installation, namespace] = ["", ""];
  try {
    installation = String(files.readFileSync(LINUX.installation)).trim();
  } catch {
    // Some containers have none.
  }
  try {
    namespace = files.readlinkSync(LINUX.namespace);
  } catch {
    // A system without these files.
  }
  return `${installation} ${namespace} ${uid}`;
}
