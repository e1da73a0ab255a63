import assert from "node:assert/strict";
import { FramedMessages } from "../../../src/webview/framedMessages.ts";

describe("the messages to a page", () => {
  let frames: (() => void)[];
  let handled: string[];
  let messages: FramedMessages<string>;

  /** Messages like `quote 7` are streamed. */
  beforeEach(() => {
    [frames, handled] = [[], []];
    messages = new FramedMessages({
      keyOf: (message) => /^(\w+) \d/.exec(message)?.[1],
      handle: (message) => handled.push(message),
      onFrame: (task) => frames.push(task),
    });
  });

  const frame = (): void => {
    for (const task of frames.splice(0)) task();
  };
  const receive = (...all: readonly string[]): void => {
    for (const message of all) messages.receive(message);
  };

  it("that are streamed are handled in the next frame: the latest of each key, in order of arrival", () => {
    receive("quote 1", "book 1", "quote 2");
    assert.deepEqual([handled, frames.length], [[], 1]);
    frame();
    assert.deepEqual(handled, ["book 1", "quote 2"]);
  });

  it("request a frame only when a streamed one arrives", () => {
    receive("quote 1");
    frame();
    assert.equal(frames.length, 0);
    receive("quote 2");
    assert.equal(frames.length, 1);
    frame();
    assert.deepEqual(handled, ["quote 1", "quote 2"]);
  });

  it("that are not streamed are handled at once, after earlier ones", () => {
    receive("quote 1", "fill", "quote 2");
    assert.deepEqual(handled, ["quote 1", "fill"]);
    frame();
    assert.deepEqual(handled, ["quote 1", "fill", "quote 2"]);
  });
});
