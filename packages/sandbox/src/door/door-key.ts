import { createHmac, timingSafeEqual } from 'node:crypto'

/** The key of one sandbox; it opens no other one of the machine. */
export function keyOfSandbox(secret: Buffer, external_id: string): string {
  return createHmac('sha256', secret).update(external_id).digest('hex')
}

export function isKeyOf(secret: Buffer, external_id: string, given: string): boolean {
  const [own, other] = [keyOfSandbox(secret, external_id), given].map((text) => Buffer.from(text))
  return (
    own?.length === other?.length && own !== undefined && other !== undefined && timingSafeEqual(own, other)
  )
}
