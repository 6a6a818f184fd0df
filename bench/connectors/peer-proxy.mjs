import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Server } from '@modelcontextprotocol/server'
import { proxyServer, startHTTPServer } from 'mcp-proxy'

/** The other gateway, from where it was installed: one session with the server, as it has itself, for all who come to it. */
const [url, port] = process.argv.slice(2)
const client = new Client({ name: 'bench', version: '1' })
await client.connect(new StreamableHTTPClientTransport(new URL(url)))
const serverCapabilities = client.getServerCapabilities()
await startHTTPServer({
  ...{ port: Number(port), host: '127.0.0.1', sseEndpoint: null },
  createServer: async () => {
    const server = new Server(client.getServerVersion(), { capabilities: serverCapabilities })
    await proxyServer({ client, server, serverCapabilities })
    return server
  },
})
process.send?.({ listening: true })
process.once('disconnect', () => process.exit(0))
