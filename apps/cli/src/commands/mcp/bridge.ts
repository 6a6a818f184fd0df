import { once } from 'node:events'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Cli } from '../../cli.ts'
import { version } from '../../version.ts'

/** A failure on the way, in the range that JSON-RPC leaves to servers. */
const notCarried = -32_000

/**
 * Carries the messages of a program that speaks MCP over stdin and stdout to the connectors of a project, and theirs
 * back. Each request has an answer: the reason, where it could not be carried.
 */
export async function bridgeExecutor(cli: Cli, flag: string | undefined): Promise<void> {
  const way = await wayOf(cli, flag)
  const near = new StdioServerTransport()
  const work = new Set<Promise<void>>()

  const carry = async (message: JSONRPCMessage): Promise<void> => {
    let isOwed = isJSONRPCRequest(message)
    try {
      for await (const answer of messagesOf(await way(message))) {
        if ('id' in answer && !('method' in answer)) isOwed = false
        await near.send(answer)
      }
      if (isOwed) throw new Error('the answer was cut off; ask again')
    } catch (error) {
      const reason = `The connectors gave no answer: ${error instanceof Error ? error.message : String(error)}`
      cli.out.note(reason)
      if (!isOwed || !isJSONRPCRequest(message)) return
      await near.send({ jsonrpc: '2.0', id: message.id, error: { code: notCarried, message: reason } })
    }
  }
  near.onmessage = (message) => {
    const carried = carry(message).finally(() => work.delete(carried))
    work.add(carried)
  }
  await near.start()
  // The program ends by closing the pipe; everything that it asked for before is still answered.
  await once(cli.io.stdin, 'end')
  await Promise.all(work)
  await near.close()
}

/** Sends one message; the platform's own words are the error of a refusal. */
async function wayOf(
  cli: Cli,
  flag: string | undefined,
): Promise<(message: JSONRPCMessage) => Promise<Response>> {
  const own = cli.io.env['SVC_EXECUTOR_TOKEN']
  const { target, project_id } =
    own === undefined ? await cli.project(flag) : { target: await cli.target(), project_id: null }
  const connection = own === undefined ? await cli.connect() : null
  let spoken: string | undefined
  return async (message) => {
    if (isInitializeRequest(message)) spoken = message.params.protocolVersion
    const response = await fetch(`${target.api_url}/executor/mcp`, {
      method: 'POST',
      redirect: 'error',
      headers: {
        Authorization: `Bearer ${own ?? (await connection?.token())}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'User-Agent': `svc-mcp/${version}`,
        ...(spoken !== undefined && !isInitializeRequest(message) && { 'MCP-Protocol-Version': spoken }),
        ...(project_id !== null && { 'X-Svc-Project': project_id }),
      },
      body: JSON.stringify(message),
    })
    if (response.ok) return response
    const text = await response.text()
    throw new Error(`${response.status} ${text.slice(0, 500)}`)
  }
}

async function* messagesOf(response: Response): AsyncGenerator<JSONRPCMessage> {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream') && response.body !== null) {
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
    for await (const { data } of events) if (data !== '') yield JSONRPCMessageSchema.parse(JSON.parse(data))
  } else if (type.startsWith('application/json')) yield JSONRPCMessageSchema.parse(await response.json())
}
