export function install(
  folder: string,
  args: readonly string[],
  progress: (sentence: string) => void,
): Promise<void>;
