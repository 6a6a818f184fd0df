import { createHmac } from 'node:crypto'
import { jsonb } from '@svc/db'
import type { TestPlatform } from './platform.ts'

export const hookSecret = 'what the sender knows'

export const hexOf = (body: Uint8Array, secret = hookSecret) =>
  createHmac('sha256', secret).update(body).digest('hex')

/** `v1,<base64>` of Standard Webhooks. */
export const standardOf = (id: string, timestamp: number, body: Uint8Array) =>
  `v1,${createHmac('sha256', hookSecret).update(`${id}.${timestamp}.`).update(body).digest('base64')}`

/** A project with webhooks as the catalogue writes them; those whose name begins with `bare` have no secret. */
export async function hookedProject(
  platform: TestPlatform,
  hooks: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Promise<string> {
  const { token } = platform.owner
  const provision = { method: 'POST', token, json: { name: 'Hooked', seed_starter: false } }
  const project_id = (await platform.call('/v1/projects/provision', provision)).pick('project_id')
  const secret = { method: 'PUT', token, json: { value: hookSecret } }
  const set = await platform.call(`/v1/projects/${project_id}/secrets/HOOK_SECRET`, secret)
  if (set.status >= 300) throw new Error(set.text)
  const at = new Date()
  const rows = Object.entries(hooks).map(([slug, more], position) => ({
    project_id,
    slug,
    position,
    type: 'webhook' as const,
    definition: jsonb({
      ...{ slug, name: null, type: 'webhook', agent: 'default', model: null, enabled: true },
      ...{ session_mode: 'fresh', session_id: null, session_key: null, filter: {}, overlap: 'allow' },
      ...{
        secret_env: slug.startsWith('bare') ? 'NOT_SET' : 'HOOK_SECRET',
        prompt: '{{ body }} {{ body.a.b }}',
      },
      ...more,
    }),
    agent: jsonb({
      agent_name: 'default',
      grant: ['project.read'],
      merge_granted: false,
      secrets: 'all',
      model: null,
    }),
    agent_error: null,
    enabled: true,
    next_fire_at: null,
    due_at: null,
    created_at: at,
    updated_at: at,
  }))
  await platform.parts.db.insertInto('project_triggers').values(rows).execute()
  return project_id
}
