import type { Client } from '@svc/sdk'
import { isUuid } from '../../config/project.ts'
import { OperationError, UsageError } from '../../failures.ts'

/** A session's id from its start: at least four characters that only one session of the project has. */
export async function findSessionId(client: Client, project_id: string, given: string): Promise<string> {
  if (isUuid(given)) return given.toLowerCase()
  const prefix = given.toLowerCase()
  if (!/^[0-9a-f-]{4,35}$/.test(prefix)) {
    throw new UsageError(`${given} is not a session id`, 'give the id, or at least its first 4 characters')
  }
  const found: string[] = []
  for await (const { session_id } of client.projects.sessions.list(project_id, { q: prefix, limit: 200 })) {
    if (session_id.startsWith(prefix)) found.push(session_id)
  }
  const [only, ...more] = found
  if (only === undefined)
    throw new OperationError(`no session starts with ${given}`, '`svc sessions ls` shows them')
  if (more.length === 0) return only
  throw new OperationError(
    `${found.length} sessions start with ${given}: ${found.slice(0, 5).join(', ')}`,
    'give more of the id',
  )
}
