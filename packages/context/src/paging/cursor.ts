import { createHash } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import type { z } from 'zod'

/** An opaque cursor that validates itself: what was not made here is refused, not misread. */
export function encodeCursor(value: Readonly<Record<string, unknown>>): string {
  const text = Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${text}.${check(text)}`
}

export function decodeCursor<T>(schema: z.ZodType<T>, cursor: string): T {
  const [text = '', sum] = cursor.split('.')
  const parsed =
    sum === check(text) ? schema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())) : null
  if (parsed?.success) return parsed.data
  throw new ServiceError(
    'invalid_request',
    'The cursor is not one that this list returned; ask without one for the first page',
    {
      issues: [{ path: 'cursor', message: 'must be a cursor that a list returned' }],
    },
  )
}

function check(text: string): string {
  return createHash('sha256').update(`cursor:${text}`).digest('base64url').slice(0, 8)
}
