import type { HostedPage } from "./hostedPage.ts";

/** A way in which a page looks. */
export interface PageState {
  /** Also the name of its pictures. */
  readonly name: string;
  /** Opens the page in this state; the caller closes it. */
  readonly open: () => Promise<HostedPage<unknown, never>>;
}
