/** Runs `task` once after `ms`; the returned function cancels it. */
export type After = (ms: number, task: () => void) => () => void;

export const afterTime: After = (ms, task) => {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
};
