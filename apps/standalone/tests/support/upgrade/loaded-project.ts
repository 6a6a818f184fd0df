import { join } from 'node:path'
import type { Client } from '@svc/sdk'
import { git } from '../clients/git.ts'
import { openAppPushes } from '../platform/app-pushes.ts'
import { bash, script, startSession } from '../sessions/agent.ts'
import { grantedProject } from '../sessions/pi-project.ts'
import type { LoadedProject } from './load.ts'

const hook_secret = 'what the sender knows'

/** Slots of the schedule are so far apart that a busy machine misses none. */
export const slotSeconds = 20

const manifest = `runtime: pi
default_agent: helper
agents: { helper: { svc_cli: all, secrets: all } }
env: { optional: [HOOK_SECRET] }
triggers:
  - slug: hook
    type: webhook
    secret_env: HOOK_SECRET
    session_mode: reuse
    prompt: ${JSON.stringify(script(bash('echo "round {{ body.round }}"')))}
  - slug: slots
    type: cron
    cron: '*/${slotSeconds} * * * * *'
    session_mode: reuse
    prompt: ${JSON.stringify(script(bash('echo slot')))}
`

/** A project with everything that a load works on. */
export async function loadedProject(client: Client, token: string, root: string): Promise<LoadedProject> {
  const project = await grantedProject(client, token, 'Upgraded', manifest)
  const { project_id } = project
  await client.projects.secrets.set(project_id, 'HOOK_SECRET', hook_secret)
  const { push, live } = await openAppPushes(client, project, { token, cwd: join(root, 'home/app') })
  await push({ 'site/index.html': 'One' }, '  site: { type: static, path: site }\n')
  const app_url = await live('site')
  const clone = join(root, 'home/pushes')
  await git(['clone', '-q', project.repo_url, clone], { token })
  const { session: talker } = await startSession(client, project_id, [bash('echo hello')])
  const { webhook_url } = await client.projects.triggers.get(project_id, 'hook')
  return { client, token, project, hook_secret, hook_url: webhook_url ?? '', app_url, talker, clone }
}
