/** Whether traffic to this host stays on the computer: 127.0.0.0/8, ::1 and localhost. */
export function isLoopback(url: URL): boolean {
  return (
    url.hostname === "localhost" || url.hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(url.hostname)
  );
}
