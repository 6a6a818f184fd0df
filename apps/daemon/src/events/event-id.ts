import { createHash } from 'node:crypto'
import { daemonLimits } from '../limits.ts'

/**
 * The id of an event as the platform takes it. Ids hold what agents name as they like, such as calls and paths: one that is too long,
 * which would be refused with its event, is told from all others by a digest of it.
 */
export function eventId(id: string): string {
  if (id.length <= daemonLimits.eventIdChars && !id.includes('\0')) return id
  const digest = createHash('sha256').update(id).digest('base64url')
  return `${id.slice(0, 64).replaceAll('\0', '')}:${digest}`
}
