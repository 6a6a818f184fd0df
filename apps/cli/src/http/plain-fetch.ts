import { type IncomingMessage, request as httpRequest } from 'node:http'
import type { RequestOptions } from 'node:https'
import { Readable } from 'node:stream'
import type { FetchAnswer, FetchInit } from '@svc/sdk'

/**
 * One request with Node's plain HTTP client. The global `fetch` brings a second client with it, which costs a command
 * more time than everything else that it does.
 */
export async function plainFetch(url: string, init: FetchInit): Promise<FetchAnswer> {
  const { method, headers, body, signal } = init
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
