"""The server: positions, games, engines and a library, over HTTP and a WebSocket. The protocol: docs/web_api.md."""
