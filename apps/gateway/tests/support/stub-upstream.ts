import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { chatAnswer, chatChunks, type Said, scenes } from './stub-answers/chat.ts'
import { messageAnswer, messageEvents } from './stub-answers/messages.ts'
import { responseAnswer, responseEvents } from './stub-answers/responses.ts'

const Asked = z.looseObject({ model: z.string().optional(), stream: z.boolean().optional() })

export interface SeenRequest {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: z.infer<typeof Asked>
}

/** A provider of every dialect. The text of a request names the scene that it answers with. */
export async function stubUpstream() {
  const seen: SeenRequest[] = []
  let left = 0
  let answerNext: ((res: ServerResponse) => void) | null = null
  const server = createServer((req, res) => {
    let text = ''
    req.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    req.on('end', () => {
      const body = Asked.parse(text === '' ? {} : JSON.parse(text))
      seen.push({ url: req.url ?? '', headers: req.headers, body })
      res.on('close', () => {
        if (!res.writableFinished) left += 1
      })
      res.setHeader('x-request-id', 'req_upstream')
      if (answerNext !== null) return answerNext(res)
      answer(req.url ?? '', body, text, res)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    left: () => left,
    /** Every answer from here on, until it is taken back with null. */
    answers(how: ((res: ServerResponse) => void) | null) {
      answerNext = how
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export type StubUpstream = Awaited<ReturnType<typeof stubUpstream>>

function answer(url: string, body: z.infer<typeof Asked>, text: string, res: ServerResponse): void {
  const path = url.replace(/\?.*$/, '').replace(/^\/v1/, '')
  const scene = scenes.find((name) => text.includes(`scene:${name}`)) ?? 'text'
  const said: Said = { scene, model: body.model ?? '', usage: text.includes('"include_usage":true') }
  if (scene === 'error')
    return void res.writeHead(400, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'The scene is an error',
          param: 'messages',
          code: null,
        },
      }),
    )
  if (path === '/messages/count_tokens' || path === '/responses/input_tokens')
    return json(res, { input_tokens: 42 })
  if (path === '/models')
    return json(res, { object: 'list', data: [{ id: 'listed-model', object: 'model' }] })
  if (path === '/embeddings')
    return json(res, {
      object: 'list',
      model: body.model,
      data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.25] }],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })
  if (path === '/chat/completions')
    return body.stream === true
      ? events(res, [...chatChunks(said).map((data) => ({ data })), { data: '[DONE]' as const }])
      : json(res, chatAnswer(said))
  if (path === '/messages')
    return body.stream === true
      ? events(
          res,
          messageEvents(said).map((data) => ({ event: data.type, data })),
        )
      : json(res, messageAnswer(said))
  if (path === '/responses')
    return body.stream === true
      ? events(
          res,
          responseEvents(said).map((data) => ({ event: data.type, data })),
        )
      : json(res, responseAnswer(said))
  res.writeHead(404).end('{}')
}

function json(res: ServerResponse, value: unknown): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function events(
  res: ServerResponse,
  list: readonly { readonly event?: string; readonly data: object | '[DONE]' }[],
): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const { event, data } of list)
    res.write(
      `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    )
  res.end()
}
