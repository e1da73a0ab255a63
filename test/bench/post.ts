import { request as requestPlain, type RequestOptions } from "node:http";
import { request as requestSecure } from "node:https";

/** A bare POST, and the text of its answer: the floor for every way to send an order. */
export function post(url: string, body: Buffer, options: RequestOptions): Promise<string> {
  const request = url.startsWith("https:") ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(text));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
