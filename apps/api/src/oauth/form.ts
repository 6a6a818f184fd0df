import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@svc/errors'
import { header } from '../door/visit.ts'
import { readIncoming } from '../door/read-up-to.ts'

const maxBytes = 16 * 1024

/** The fields of a form of ours. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const type = header(req, 'content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new ServiceError('unsupported_media_type', 'The body must be application/x-www-form-urlencoded')
  const { bytes, whole } = await readIncoming(req, maxBytes)
  if (!whole)
    throw new ServiceError('payload_too_large', 'The form is too large; go back to the app and start again')
  return new URLSearchParams(Buffer.from(bytes).toString())
}

/** A form of ours is sent by a page of ours: browsers say where from. The cookie that it needs is not sent from elsewhere either. */
export function requireOwnPage(req: IncomingMessage, issuer: string): void {
  const origin = header(req, 'origin')
  const site = header(req, 'sec-fetch-site')
  const foreign = origin === undefined ? site !== undefined && site !== 'same-origin' : origin !== issuer
  if (foreign) throw new ServiceError('forbidden', 'This form was not sent by its own page; open it again')
}
