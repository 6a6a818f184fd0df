import { type ProjectRow, secretAccesses } from '@svc/db'
import type { MonitorContext } from './settings.ts'
import type { WantedMonitors } from './wanted.ts'

/** Logs the secrets that the commands of each agent are about to be given, by name. */
export async function noteSecrets(
  { db, newId, now }: Pick<MonitorContext, 'db' | 'newId' | 'now'>,
  { project_id, created_by: user_id }: ProjectRow,
  session_id: string,
  { specs }: WantedMonitors,
): Promise<void> {
  const given = new Map<string, Set<string>>()
  for (const { environment } of specs) {
    const { SVC_AGENT_NAME: agent_name = '', SVC_PROJECT_SECRET_NAMES: names = '' } = environment
    const all = given.get(agent_name) ?? new Set()
    for (const name of names.split(',').filter(Boolean)) all.add(name)
    given.set(agent_name, all)
  }
  for (const [agent_name, all] of given) {
    if (all.size === 0) continue
    const access = { access_id: newId(), at: now(), names: [...all].sort(), personal_names: [] }
    await secretAccesses.insert(db, { ...access, project_id, session_id, user_id, agent_name })
  }
}
