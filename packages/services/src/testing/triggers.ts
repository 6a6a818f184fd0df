import { createHmac, randomUUID } from 'node:crypto'
import { triggerFires } from '@svc/db'
import { fireNextDue, fireNextOwed, putSecret, receiveWebhook, refreshCatalogue } from '../index.ts'
import type { Person } from './people.ts'
import { makeProject, type TestProject } from './projects.ts'
import type { World } from './world.ts'

export const hookSecret = 'the secret of the hook'
const hour = 3_600_000

export const manifestOf = (triggers: string) => `svc_version: 2
default_agent: default
agents:
  default:
    svc_cli: [project.read]
env:
  optional: [HOOK_SECRET]
triggers:
${triggers}`

/** A project whose default branch has these triggers. */
export async function projectWith(world: World, triggers: string, owner?: Person): Promise<TestProject> {
  const project = await makeProject(world, owner)
  await putSecret(project.ctx, { project_id: project.project_id, name: 'HOOK_SECRET', value: hookSecret })
  await declare(world, project, triggers)
  return project
}

export async function declare(world: World, project: TestProject, triggers: string): Promise<void> {
  await project.commit('main', { 'svc.yaml': manifestOf(triggers) }, 'Declare triggers')
  await look(world, project)
}

/** Does as a scheduler does when it is told that the default branch moved. */
export async function look(world: World, { project_id }: TestProject): Promise<void> {
  const project = await world.db
    .selectFrom('projects')
    .selectAll()
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  await refreshCatalogue(world.worker(), project)
}

/** Everything that is due and owed now. */
export async function fireAll(world: World, catch_up_ms = hour, lock_ms?: number): Promise<void> {
  const ctx = { ...world.base, ...(lock_ms === undefined ? {} : { lock_ms }) }
  while (await fireNextDue(ctx, { catch_up_ms }));
  while (await fireNextOwed(ctx));
}

export async function ledger(world: World, { project_id }: TestProject, slug: string) {
  return (await triggerFires.list(world.db, { project_id, slug, limit: 1000 })).reverse()
}

/** The texts that the trigger's sessions were told, oldest first. */
export async function promptsOf(world: World, { project_id }: TestProject): Promise<string[]> {
  const rows = await world.db
    .selectFrom('session_prompts as p')
    .innerJoin('project_sessions as s', 's.session_id', 'p.session_id')
    .select('p.text')
    .where('s.project_id', '=', project_id)
    .where('p.source', '=', 'trigger')
    .orderBy('p.position')
    .execute()
  return rows.map((row) => row.text)
}

export interface SentDelivery {
  readonly slug?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly sign?: string | null
}

/** A delivery, signed with the hook's secret unless something else is asked for. */
export function deliver(world: World, { project_id }: TestProject, body: unknown, sent: SentDelivery = {}) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const { slug = 'hook', headers = {}, sign = hookSecret } = sent
  const signature =
    sign === null ? {} : { 'X-Svc-Signature': createHmac('sha256', sign).update(bytes).digest('hex') }
  return receiveWebhook(world.worker(), {
    project_id,
    slug,
    headers: new Headers({ 'X-Svc-Delivery': randomUUID(), ...signature, ...headers }),
    body: async () => ({ bytes, whole: true }),
  })
}
