import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { freezeCall } from '../connectors.ts'
import { mintSignIn } from '../credentials.ts'
import { ask, inProject, type Prepare, type Stage } from './prepare.ts'

/** Decisions are for people who signed in, whom no key stands for. */
async function signedIn({ platform }: Stage) {
  return { token: (await mintSignIn(platform.parts.db, platform.owner)).access }
}

const frozen: Prepare = async (stage) => {
  const { platform, objects } = stage
  const { call_id, digest } = await freezeCall(platform, platform.owner, objects['project_id'] ?? '')
  return { ids: { call_id }, body: { digest }, ...(await signedIn(stage)) }
}

/** A call whose request was sent and whose answer nobody saw. */
const unseen: Prepare = async (stage) => {
  const { body: _, ...made } = await frozen(stage)
  const { db } = stage.platform.parts
  const call_id = made.ids?.['call_id']
  await sql`update connector_approvals set status = 'cancelled' where call_id = ${call_id}`.execute(db)
  await sql`update connector_calls set status = 'unknown', reason = 'outcome_unknown', started_at = now(),
    sent_at = now(), ended_at = now() where call_id = ${call_id}`.execute(db)
  return made
}

const looked: Prepare = async (stage) => {
  const read = await ask(stage, 'POST', `${inProject(stage)}/connectors/nightly/sync`)
  return { body: { catalogue_digest: read.pick('catalogue_digest') } }
}

/** A trigger with a connection that is taken away from it. */
const bound: Prepare = async (stage) => {
  const { project_id, connection_id } = stage.objects
  const slug = `bound-${randomUUID()}`
  const trigger = { slug, type: 'cron', cron: '0 0 3 * * *', prompt_template: 'x' }
  await ask(stage, 'POST', `${inProject(stage)}/triggers`, trigger)
  await sql`insert into trigger_bindings (project_id, trigger_slug, slug, connection_id)
    values (${project_id}, ${slug}, 'nightly', ${connection_id})`.execute(stage.platform.parts.db)
  return { ids: { slug }, body: { connector_bindings: {} } }
}

const declared: Prepare = async () => ({
  body: { slug: `docs-${randomUUID()}`, provider: 'http', base_url: 'http://127.0.0.1:1' },
})

/** One of its own, so that the others keep theirs. */
const removed: Prepare = async (stage) => {
  const { body } = await declared(stage)
  const made = await ask(stage, 'POST', `${inProject(stage)}/connectors`, body)
  return { ids: { slug: made.pick('connector.slug') } }
}

export const connectorMutations: Readonly<Record<string, Prepare>> = {
  createConnector: declared,
  deleteConnector: removed,
  createConnection: async () => ({}),
  acceptConnectorActions: looked,
  decideApproval: frozen,
  settleConnectorCall: unseen,
  setSessionConnectors: async () => ({ body: { connector_bindings: {} } }),
  setTriggerBindings: bound,
}
