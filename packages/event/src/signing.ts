import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** `whsec_` and the base64 of 32 random bytes, as Standard Webhooks has it. */
export const newSigningSecret = (random: (bytes: number) => Buffer = randomBytes): string =>
  prefix + random(32).toString('base64')

export interface SignedMessage {
  readonly id: string
  readonly at: Date
  readonly body: string
}

/**
 * The three headers of Standard Webhooks (https://www.standardwebhooks.com, version 1), with one `v1` signature for each
 * secret, so that either side of a rotation finds its own.
 */
export function signatureHeaders({ id, at, body }: SignedMessage, secrets: readonly string[]) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(prefix, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signed.join(' ') }
}
