import { createHash } from 'node:crypto'

/** The platform refuses a longer one, and with it the event. */
const maxChars = 128

/**
 * The id of an event as the platform takes it. Ids hold what agents name as they like, such as calls and paths: one that is too long
 * is told from all others by a digest of it.
 */
export function eventId(id: string): string {
  if (id.length <= maxChars && !id.includes('\0')) return id
  const digest = createHash('sha256').update(id).digest('base64url')
  return `${id.slice(0, 64).replaceAll('\0', '')}:${digest}`
}
