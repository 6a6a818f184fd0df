import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** An MCP client as people's programs have one. */
export async function connectMcp(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${token}`, ...headers } },
  })
  // The SDK's own types disagree about an optional session id.
  await client.connect({
    start: () => transport.start(),
    close: () => transport.close(),
    send: (message) => transport.send(message),
    set onmessage(listener: NonNullable<Transport['onmessage']>) {
      transport.onmessage = listener
    },
  })
  return client
}
