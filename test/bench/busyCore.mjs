// Keeps one core busy until the parent process has ended or ends this process, for an hour at most.
const end = Date.now() + 3_600_000;
const parent = process.ppid;
while (process.ppid === parent && Date.now() < end);
