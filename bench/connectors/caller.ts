import { Agent, request } from 'undici'

/** An answer that was read to its end. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

export type Send = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer>

/** A client over connections that stay open, which does nothing but send and read. */
export function createCaller(base: string, token: string) {
  const dispatcher = new Agent({ connections: 16 })
  const send: Send = async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await request(`${base}${path}`, { method, dispatcher, headers, ...sent })
    const text = await answer.body.text()
    return { status: answer.statusCode, body: text === '' ? null : JSON.parse(text) }
  }
  return {
    send,
    /** The body of an answer that says yes. */
    sent: async (...asked: Parameters<Send>): Promise<unknown> => {
      const { status, body } = await send(...asked)
      if (status >= 300) throw new Error(`${asked[0]} ${asked[1]}: ${status} ${JSON.stringify(body)}`)
      return body
    },
    close: () => dispatcher.close(),
  }
}

/** A session with an MCP server over streamable HTTP, which calls a tool by one request and reads its answer. */
export async function openDirect(url: string) {
  const dispatcher = new Agent({ connections: 16 })
  const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  let session: Readonly<Record<string, string>> = {}
  const post = async (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    const answer = await request(url, {
      ...{ method: 'POST', dispatcher, body },
      headers: { ...common, ...session },
    })
    return { headers: answer.headers, text: await answer.body.text() }
  }
  const protocolVersion = '2025-06-18'
  const { headers } = await post({
    ...{ id: 0, method: 'initialize' },
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  })
  session = {
    'mcp-session-id': String(headers['mcp-session-id']),
    'mcp-protocol-version': protocolVersion,
  }
  await post({ method: 'notifications/initialized' })
  let id = 0
  return {
    call: async (name: string, args: object): Promise<void> => {
      const asked = { id: (id += 1), method: 'tools/call', params: { name, arguments: args } }
      const { text } = await post(asked)
      // A result comes as an event of a stream: its data are one line.
      const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
      if (JSON.parse(data).result === undefined) throw new Error(`The tool did not answer: ${text}`)
    },
    close: () => dispatcher.close(),
  }
}
