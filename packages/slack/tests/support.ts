import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Outgoing, OutgoingName, Received } from '@svc/channel'
import { guardedAgent } from '@svc/outbound'
import { type Agent } from 'undici'
import { afterEach } from 'vitest'
import { isSigned, readRequest } from '../src/index.ts'
import { type FakeSlack, startFakeSlack } from './fake-slack/index.ts'

export const tokens = { bot_token: 'xoxb-1', signing_secret: 'signing', app_token: 'xapp-1' }
export const never = new AbortController().signal

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

export function closeLater(close: () => Promise<unknown>): void {
  closers.push(close)
}

export async function fakeSlack(more: { scopes?: readonly string[]; timeout_ms?: number } = {}) {
  const slack = await startFakeSlack({ ...tokens, ...more })
  closers.push(slack.close)
  return slack
}

/** Connections as the worker has them; to this machine only where `open` says so. */
export function wireOf(open: readonly string[] = ['127.0.0.0/8']): Agent {
  const wire = guardedAgent({ open }, { connect_ms: 5_000, headers_ms: 10_000, body_ms: 10_000 })
  closers.push(() => wire.destroy())
  return wire
}

export const named = (message_id = 'm1', revision = 1): OutgoingName => ({ message_id, revision })
export const words = (text: string, more: Partial<Outgoing> = {}): Outgoing => ({ text, ...more })

/** A door as the API has it: it checks the signature, and answers with `status()` once it took what there was. */
export async function door(slack: FakeSlack, status: (request: IncomingMessage) => number = () => 200) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const headers = new Headers(request.headers as Record<string, string>)
    const { signing_secret } = tokens
    const timestamp = headers.get('x-slack-request-timestamp')
    const signature = headers.get('x-slack-signature')
    if (!isSigned({ signing_secret, timestamp, signature, body, now: new Date() }))
      return response.writeHead(401).end()
    const said = readRequest({ headers, body, bot: slack.bot })
    if (said.kind === 'challenge') return response.writeHead(200).end(said.challenge)
    if (said.kind === 'received') received.push(...said.received)
    return response.writeHead(status(request)).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  const { port } = server.address() as AddressInfo
  await slack.register(`http://127.0.0.1:${port}/`)
  return received
}
