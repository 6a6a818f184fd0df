import type { ChangeEvent } from '@svc/sdk'

/** Everything that may be out of date once changes were missed. A page of a session has a stream of its own. */
const live = [
  'inbox',
  'sessions',
  'change-requests',
  'change-request',
  'trigger',
  'triggers',
  'review',
  'approval',
  'connector-call',
  'connector',
  'connectors',
  'channels',
  'notifications',
] as const

/** The keys of the queries that read what changed. */
export function keysAfter(event: ChangeEvent): readonly (readonly string[])[] {
  if (event.type === 'hello') return live.map((key) => [key])
  const { kind } = event
  if (event.project_id === null) return kind === 'notification' ? [['notifications']] : []
  const { project_id } = event
  const ofProject = (...keys: readonly string[]) => [['inbox'], ...keys.map((key) => [key, project_id])]
  switch (kind) {
    case 'session':
    case 'question':
    case 'permission':
      return ofProject('sessions')
    case 'change_request':
      return ofProject('change-requests', 'change-request')
    case 'trigger':
      return ofProject('triggers', 'trigger')
    case 'manifest':
      return ofProject('manifest', 'triggers')
    case 'review':
      return ofProject('review')
    case 'approval':
      return ofProject('approval')
    case 'unknown_call':
      return ofProject('connector-call')
    case 'connector':
    case 'connection':
      return ofProject('connectors', 'connector')
    case 'channel':
      return ofProject('channels')
    case 'secret':
      return ofProject('secrets')
    case 'project':
      return [['inbox'], ['projects'], ['project', project_id]]
    default:
      return [['inbox']]
  }
}
