/** What a failed request proves, and why it failed. */
export type TransportFailure =
  /** No byte of the request left this computer. */
  | { readonly kind: "notSent"; readonly reason: ConnectionFault | "tooLate" }
  /** At least part of the request was sent, and no complete response arrived. */
  | { readonly kind: "noAnswer"; readonly reason: "timeout" | "connectionLost" }
  /** A response arrived that cannot be used. */
  | {
      readonly kind: "unreadable";
      readonly reason: "redirect" | "tooLarge" | "notJson";
      readonly status: number;
    };

/** Why there is no connection to send a request over. */
export type ConnectionFault =
  | "unreachable"
  | "hostNotFound"
  | "connectionRefused"
  | "handshake"
  | "proxySignIn"
  | "proxyRefused"
  | "certificate"
  | "insecure";

/** A request without a usable response. `detail` is redacted. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly failure: TransportFailure;
  readonly detail: string;

  constructor(label: string, failure: TransportFailure, detail: string) {
    super(`${label}: ${failure.reason}: ${detail}`);
    this.failure = failure;
    this.detail = detail;
  }
}
