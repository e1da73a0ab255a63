import { generate } from "selfsigned";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const KEYS = { keyType: "ec", algorithm: "sha256" } as const;
const DAY_MS = 86_400_000;

/** A certificate authority for one test run. */
export async function makeAuthority(): Promise<Certificate> {
  const made = await generate([{ name: "commonName", value: "Test authority" }], {
    ...KEYS,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true },
    ],
  });
  return { key: made.private, cert: made.cert };
}

/** A server's certificate, by default for 127.0.0.1; self-signed without an authority. */
export async function makeCertificate(
  options: { authority?: Certificate; host?: string; valid?: "now" | "no more" | "not yet" } = {},
): Promise<Certificate> {
  const { authority, host, valid = "now" } = options;
  const now = Date.now();
  const made = await generate([{ name: "commonName", value: host ?? "127.0.0.1" }], {
    ...KEYS,
    notBeforeDate: new Date(valid === "not yet" ? now + DAY_MS : now - 2 * DAY_MS),
    notAfterDate: new Date(valid === "no more" ? now - DAY_MS : now + 2 * DAY_MS),
    ...(authority && { ca: authority }),
    extensions: [
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [host === undefined ? { type: 7, ip: "127.0.0.1" } : { type: 2, value: host }],
      },
    ],
  });
  return { key: made.private, cert: made.cert };
}
