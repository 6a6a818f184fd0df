import { ServiceError } from '@svc/errors'
import type { Context } from 'hono'
import type { AppEnv } from '../parts.ts'

const types = /^application\/(?:scim\+)?json\s*(?:;|$)/i

/** The JSON of a request, under either of its two media types. */
export async function readBody(c: Context<AppEnv>): Promise<unknown> {
  if (!types.test(c.req.header('Content-Type') ?? ''))
    throw new ServiceError(
      'unsupported_media_type',
      'The body must be application/scim+json or application/json',
    )
  try {
    return JSON.parse(await c.req.text())
  } catch {
    throw new ServiceError('malformed_json', 'The body is not JSON; check its quotes and commas', {
      scimType: 'invalidSyntax',
    })
  }
}
