// Keeps one core busy until the process that started it is gone or ends it, for an hour at most.
const end = Date.now() + 3_600_000;
const parent = process.ppid;
while (process.ppid === parent && Date.now() < end);
