import { createHmac, timingSafeEqual } from 'node:crypto'

const maxAgeMs = 5 * 60_000

interface Signed {
  readonly signing_secret: string
  /** `X-Slack-Request-Timestamp`. */
  readonly timestamp: string | null | undefined
  /** `X-Slack-Signature`. */
  readonly signature: string | null | undefined
  /** As it arrived. */
  readonly body: Uint8Array
  readonly now: Date
}

/** A request is of Slack, and no more than five minutes old or early. */
export function isSigned({ signing_secret, timestamp, signature, body, now }: Signed): boolean {
  if (!timestamp || !signature || signing_secret === '' || !/^[0-9]{1,12}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() - Number(timestamp) * 1_000) > maxAgeMs) return false
  const digest = createHmac('sha256', signing_secret).update(`v0:${timestamp}:`).update(body).digest('hex')
  const [expected, given] = [`v0=${digest}`, signature].map((text) => Buffer.from(text))
  return expected !== undefined && given?.length === expected.length && timingSafeEqual(expected, given)
}
