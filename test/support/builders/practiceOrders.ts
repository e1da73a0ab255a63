import type { PracticeExchange } from "../../../src/practice/http/server.ts";
import { send, signedHeaders, testPair, type Answered } from "./practiceRequest.ts";

/** Private requests to a practice exchange, signed at `now()` with the key pair of the tests. */
export interface OwnerRequests {
  /** A POST with these fields as its JSON body, or with this text. */
  post(path: string, body?: unknown): Promise<Answered>;
  /** A GET of a target with its query string. */
  get(target: string): Promise<Answered>;
}

export function ownerOf({ baseUrl }: Pick<PracticeExchange, "baseUrl">, now: () => number): OwnerRequests {
  const signed = (method: string, path: string, body: string): Promise<Answered> =>
    send(baseUrl, method, path, {
      headers: { ...signedHeaders(method, path, body, now(), testPair), "User-Agent": "test" },
      body,
    });
  return {
    post: (path, body = "") => signed("POST", path, typeof body === "string" ? body : JSON.stringify(body)),
    get: (target) => signed("GET", target, ""),
  };
}
