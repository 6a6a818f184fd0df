import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FakeDelivery } from './types.ts'

export interface DeliverOptions {
  readonly signing_secret: string
  /** The waits before each further try; Slack's are at once, 1 and 5 minutes. */
  readonly retry_ms: readonly number[]
  /** Slack's is 3 seconds. */
  readonly timeout_ms: number
  /** The clock of its signatures. */
  readonly now: () => Date
}

type Sent = {
  readonly status: number
  readonly reason: string
  readonly isLast: boolean
  readonly body: string
}

/** Sends an event until it is answered with 2xx, or an answer says that it should not come again. */
export async function deliverEvent(
  url: string,
  envelope: object,
  delivery: FakeDelivery,
  options: DeliverOptions,
): Promise<void> {
  let reason = ''
  for (const [retry, wait] of [0, ...options.retry_ms].entries()) {
    await pause(wait)
    delivery.attempts += 1
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (retry > 0)
      Object.assign(headers, { 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': reason })
    const sent = await sendSigned(url, JSON.stringify(envelope), headers, options)
    delivery.status = sent.status
    if (sent.isLast) return
    reason = sent.reason
  }
}

/** Sends a press once. */
export async function deliverForm(
  url: string,
  payload: object,
  delivery: FakeDelivery,
  options: DeliverOptions,
): Promise<void> {
  delivery.attempts += 1
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  delivery.status = (await sendSigned(url, body, headers, options)).status
}

/** Asks an address whether it is the app's. */
export async function verifyUrl(url: string, options: DeliverOptions): Promise<void> {
  const challenge = `challenge-${Date.now()}`
  const body = JSON.stringify({ token: 'fake', type: 'url_verification', challenge })
  const answer = await sendSigned(url, body, { 'content-type': 'application/json' }, options)
  if (answer.status !== 200 || !answer.body.includes(challenge))
    throw new Error(`The address answered ${answer.status} to the challenge: ${answer.body}`)
}

async function sendSigned(
  url: string,
  body: string,
  headers: Record<string, string>,
  { signing_secret, timeout_ms, now }: DeliverOptions,
): Promise<Sent> {
  const timestamp = String(Math.floor(now().getTime() / 1_000))
  const digest = createHmac('sha256', signing_secret).update(`v0:${timestamp}:${body}`).digest('hex')
  try {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout_ms),
      body,
      headers: {
        ...headers,
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${digest}`,
      },
    })
    const isLast = answer.ok || answer.headers.get('x-slack-no-retry') === '1'
    return { status: answer.status, reason: 'http_error', isLast, body: await answer.text() }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    const reason = isLate ? 'http_timeout' : 'connection_failed'
    return { status: 0, reason, isLast: false, body: String(error) }
  }
}
