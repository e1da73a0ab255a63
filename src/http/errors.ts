/** What a failed request proves, and why it failed. */
export type TransportFailure =
  /** No byte of the request left this computer. */
  | { readonly kind: "notSent"; readonly reason: ConnectionFault | "tooLate" }
  /** At least part of the request was sent, and no complete response arrived. */
  | { readonly kind: "noAnswer"; readonly reason: "timeout" | "connectionLost" | "notHttp" }
  /** A response arrived that cannot be used. */
  | {
      readonly kind: "unreadable";
      readonly reason: "tooLarge" | "notJson";
      readonly status: number;
    }
  /** `to`: another host, or another path of the same one. Untrusted: escape before display. Undefined if unclear. */
  | {
      readonly kind: "unreadable";
      readonly reason: "redirect";
      readonly status: number;
      readonly to?: string | undefined;
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
  /** The issuer of the certificate is not known to this computer. */
  | "unknownIssuer"
  /** The server sent something that is not valid HTTP. */
  | "notHttp"
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
