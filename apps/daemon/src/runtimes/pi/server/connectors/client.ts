import { EventSourceParserStream } from 'eventsource-parser/stream'
import { z } from 'zod'

export interface ExecutorAddress {
  readonly url: string
  readonly token: string
}

const Answer = z.object({
  id: z.number().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
})

/** Asks the platform's MCP server one thing. It keeps no session, so there is nothing to begin or to end. */
export async function askExecutor(
  { url, token }: ExecutorAddress,
  { method, params }: { readonly method: string; readonly params: object },
  signal: AbortSignal,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal,
  })
  if (!response.ok || response.body === null)
    throw new Error(`The platform did not answer ${method}: ${response.status}`)
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { data } of events) {
    const { id, result, error } = Answer.parse(JSON.parse(data))
    // Notes that it is not over yet have no id.
    if (id !== 1) continue
    if (error !== undefined) throw new Error(error.message)
    return result
  }
  throw new Error(`The platform ended its answer to ${method} too early; try again`)
}
