import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { orAborted, settled } from '@svc/timing'
import { UpstreamRefusal, type Target, type Wire, type WireRequest } from '../../shapes.ts'
import type { ActiveCall } from './active-call.ts'
import { sessionFetch } from './session-fetch.ts'

export interface McpOptions {
  readonly wire: Wire
  /** Adds what proves who asks, by the connector's auth type. `access_token` of OAuth is added here already. */
  readonly sign: (target: Target, request: WireRequest) => WireRequest | Promise<WireRequest>
  /** Takes the values of a credential out of what a server says. */
  readonly redact: (credential: Target['credential']) => Redactor
  /** A server said that its tools changed; the target is that of the session's last use. */
  readonly onListChanged?: (target: Target) => void
}

interface Redactor {
  readonly text: (text: string) => string
  readonly json: (value: unknown) => unknown
}

/** A client of one server, for one connection. */
export interface McpSession {
  readonly client: Client
  /** Replaced with each use, so that a refreshed token serves an open session. */
  target: Target
  /** Status of the last answer, calls of tools aside. */
  last_status: number | null
  readonly active: Set<ActiveCall>
  closed: boolean
  readonly close: () => Promise<void>
}

const openMs = 30_000
const goodbyeMs = 2_000

/** The address of a connector with provider `mcp`. Throws `UpstreamRefusal` for another, and for no address. */
export function serverUrl({ connector }: Pick<Target, 'connector'>): URL {
  if (connector.provider !== 'mcp') throw new Error(`${connector.slug} is no connector of provider mcp`)
  const url = URL.canParse(connector.url) ? new URL(connector.url) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UpstreamRefusal(
      'connector_unusable',
      `\`url\` of connector ${connector.slug} is no address; give one that begins with https://`,
    )
  return url
}

/** Connects and initialises. Throws what the wire throws, and the errors of the SDK. */
export async function openSession(target: Target, options: McpOptions): Promise<McpSession> {
  const url = serverUrl(target)
  // Without capabilities, so that sampling, roots and elicitation are declined.
  const client = new Client({ name: 'svc', version: '1' }, { capabilities: {} })
  const session: McpSession = {
    client,
    target,
    last_status: null,
    active: new Set(),
    closed: false,
    close: async () => {
      session.closed = true
      if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined)
        await settled(goodbyeMs, transport.terminateSession())
      await client.close().catch(() => {})
    },
  }
  const fetch = sessionFetch(session, options)
  const isSse = target.connector.provider === 'mcp' && target.connector.transport === 'sse'
  const transport = isSse
    ? new SSEClientTransport(url, { fetch })
    : new StreamableHTTPClientTransport(url, { fetch })
  noteIds(session, transport)
  client.onerror = () => {}
  client.onclose = () => {
    session.closed = true
    for (const call of session.active) call.fail(new Error('the session was closed'))
  }
  client.setNotificationHandler(ToolListChangedNotificationSchema, () =>
    options.onListChanged?.(session.target),
  )
  const time = AbortSignal.timeout(openMs)
  try {
    // The SDK's types of transports are not exact about optional properties.
    await orAborted(client.connect(transport as Parameters<Client['connect']>[0], { timeout: openMs }), time)
  } catch (error) {
    await session.close()
    throw error
  }
  return session
}

/** Notes the id that each call of a tool is sent by, which its request is told by. */
function noteIds({ active }: McpSession, transport: Pick<Transport, 'send'>): void {
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if ('id' in message && 'method' in message) {
      const args = message.params?.['arguments']
      for (const call of active) if (call.args === args) call.message_id = message.id
    }
    return send(message, options)
  }
}
