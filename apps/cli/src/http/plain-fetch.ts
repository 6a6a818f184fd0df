import { type IncomingMessage, request as httpRequest } from 'node:http'
import type { RequestOptions } from 'node:https'
import { Readable } from 'node:stream'
import type { FetchAnswer, FetchInit } from '@svc/sdk'

/**
 * One request with Node's plain HTTP client. The global `fetch` brings a second client with it, which costs a command
 * more time than everything else that it does.
 */
export async function plainFetch(url: string, init: FetchInit): Promise<FetchAnswer> {
  const { method, signal } = init
  const { headers, body } = await encoded(init)
  const send = url.startsWith('https:') ? (await import('node:https')).request : httpRequest
  const options: RequestOptions = {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
    ...(signal === undefined ? {} : { signal }),
  }
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    send(url, options, resolve).once('error', reject).end(body)
  })
  const status = message.statusCode ?? 0
  if (status >= 300 && status < 400 && status !== 304) {
    message.destroy()
    throw new Error(`it redirects (${status}) to ${message.headers.location ?? 'nowhere'}`)
  }
  return answerOf(url, status, message)
}

/** A form is made to bytes by what `fetch` is made of, which is loaded for that alone. */
async function encoded({
  headers,
  body,
}: FetchInit): Promise<{ headers: Record<string, string>; body: string | Uint8Array | undefined }> {
  if (!(body instanceof FormData)) return { headers, body }
  const form = new Response(body)
  const type = form.headers.get('content-type') ?? ''
  return { headers: { ...headers, 'content-type': type }, body: new Uint8Array(await form.arrayBuffer()) }
}

function answerOf(url: string, status: number, message: IncomingMessage): FetchAnswer {
  return {
    url,
    status,
    ok: status >= 200 && status < 300,
    statusText: message.statusMessage ?? '',
    headers: { get: (name) => [message.headers[name.toLowerCase()] ?? []].flat().join(', ') || null },
    text: () => textOf(message),
    get body() {
      return Readable.toWeb(message)
    },
  }
}

async function textOf(message: IncomingMessage): Promise<string> {
  let all = ''
  for await (const part of message.setEncoding('utf8')) all += String(part)
  return all
}
