import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { type Front, connectFront } from '../../front/connect-front.ts'
import type { Programs } from '../../program.ts'

export async function frontOf(programs: Programs, external_id: string): Promise<Front> {
  const endpoint = await programs.front(external_id)
  if (endpoint === null) throw new Error('The program has no front')
  return connectFront(endpoint)
}

/** The head of an answer, with its body unread. */
export async function visit(
  front: Front,
  path: string,
  { method = 'GET', body = '' }: { method?: string; body?: string | Buffer } = {},
): Promise<IncomingMessage> {
  const socket = await front.connect()
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ method, path },
      headers: { host: 'app.example', connection: 'close', 'content-length': Buffer.byteLength(body) },
      createConnection: () => socket,
    })
    asked.once('response', resolve).once('error', reject)
    asked.end(body)
  })
}

export async function readAll(answer: IncomingMessage): Promise<string> {
  let text = ''
  answer.setEncoding('latin1')
  for await (const part of answer as AsyncIterable<string>) text += part
  return text
}

export async function page(front: Front, path: string): Promise<string> {
  return readAll(await visit(front, path))
}
