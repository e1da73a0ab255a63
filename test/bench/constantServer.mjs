// A bare server that answers every request with the same bytes: the floor for every HTTP request on loopback.
import { createServer } from "node:http";

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.setHeader("Content-Type", "application/json");
    const time = request.url?.includes("servertime");
    response.end(
      time ? `{"error":0,"result":${Math.floor(Date.now() / 1000)}}` : '{"error":0,"result":{"id":"1"}}',
    );
  });
});
server.listen(0, "127.0.0.1", () =>
  console.log(JSON.stringify({ baseUrl: `http://127.0.0.1:${server.address().port}` })),
);
setTimeout(() => process.exit(), 120_000);
