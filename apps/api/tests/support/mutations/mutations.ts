import { createBranch, resolveBranch, writeCommit } from '@svc/git'
import { addPerson, mint, mintSignIn } from '../credentials.ts'
import { type Ids, makeApproval, makeOne, makeSingleSignOn } from '../objects.ts'
import { makerOf, type Operation, parametersOf } from '../operations.ts'
import { budgetMutations } from './budgets.ts'
import { channelMutations } from './channels.ts'
import { connectorMutations } from './connectors.ts'
import { eventMutations } from './events.ts'
import { gatewayMutations } from './gateway.ts'
import { appMutations } from './apps.ts'
import { harnessMutations } from './harnesses.ts'
import { reviewMutations } from './reviews.ts'
import { ask, inAccount, inProject, type Prepare, type RequestInputs, some, type Stage } from './prepare.ts'
import { hexOf, hookedProject } from '../webhooks.ts'

const named: Prepare = async () => ({ body: { name: some() } })

async function projectOf(stage: Stage): Promise<string> {
  return (await ask(stage, 'POST', '/v1/projects/provision', { name: some() })).pick('project_id')
}

const project: Prepare = async (stage) => ({ ids: { project_id: await projectOf(stage) } })

/** A branch with a commit that main does not have. */
async function branchAhead({ platform }: Stage, project_id: string): Promise<string> {
  const { repositories } = platform.parts
  const signal = new AbortController().signal
  const repository = await repositories.open({ kind: 'managed', project_id }, { signal })
  const branch = some()
  const at_sha = await writeCommit(repository, {
    parent_sha: await resolveBranch(repository, 'main'),
    changes: [{ path: branch, content: branch }],
    message: branch,
    committed_at: new Date(),
  })
  await createBranch(repository, { branch, at_sha })
  return branch
}

const newChange: Prepare = async (stage) => {
  const project_id = await projectOf(stage)
  return { ids: { project_id }, body: { head_ref: await branchAhead(stage, project_id) } }
}

const change: Prepare = async (stage) => {
  const { ids, body } = await newChange(stage)
  const path = `/v1/projects/${ids?.['project_id']}/change-requests`
  const made = await ask(stage, 'POST', path, { title: 'x', ...body })
  return { ids: { ...ids, cr_id: made.pick('cr_id') } }
}

const closedChange: Prepare = async (stage) => {
  const { ids } = await change(stage)
  const path = `/v1/projects/${ids?.['project_id']}/change-requests/${ids?.['cr_id']}`
  await ask(stage, 'POST', `${path}/close`)
  return { ids: ids ?? {} }
}

const session: Prepare = async (stage) => {
  const made = await ask(stage, 'POST', `${inProject(stage)}/sessions`, {})
  return { ids: { session_id: made.pick('session_id') } }
}

const stoppedSession: Prepare = async (stage) => {
  const made = await session(stage)
  await ask(stage, 'POST', `${inProject(stage)}/sessions/${made.ids?.['session_id']}/stop`)
  return made
}

/** One that runs as far as the rows say, in a project that has its features. */
const shownSession: Prepare = async (stage) => {
  const { db } = stage.platform.parts
  const project_id = await projectOf(stage)
  const made = await ask(stage, 'POST', `/v1/projects/${project_id}/sessions`, {})
  const session_id = made.pick('session_id')
  const started_at = new Date()
  const running = { status: 'running', started_at } as const
  await db.updateTable('project_sessions').set(running).where('session_id', '=', session_id).execute()
  const sandbox = { status: 'active', external_id: some(), endpoint: 'http://127.0.0.1:1' } as const
  await db.updateTable('session_sandboxes').set(sandbox).where('session_id', '=', session_id).execute()
  return { ids: { project_id, session_id }, body: { port: 3000 } }
}

const prompt: Prepare = async (stage) => {
  const { ids } = await session(stage)
  const path = `${inProject(stage)}/sessions/${ids?.['session_id']}/prompts`
  const made = await ask(stage, 'POST', path, { text: 'x' })
  return { ids: { ...ids, prompt_id: made.pick('prompt_id') } }
}

const newTrigger: Prepare = async () => ({
  body: { slug: some(), type: 'cron', cron: '0 0 3 * * *', prompt_template: 'x' },
})

const trigger: Prepare = async (stage) => {
  const { body } = await newTrigger(stage)
  const made = await ask(stage, 'POST', `${inProject(stage)}/triggers`, body)
  return { ids: { slug: made.pick('slug') } }
}

const delivery: Prepare = async ({ platform }) => {
  const project_id = await hookedProject(platform, { hook: {} })
  const body = '{"a":1}'
  const delivery_id = some()
  await platform.call(`/v1/webhooks/projects/${project_id}/hook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-delivery': delivery_id,
      'x-svc-signature': hexOf(Buffer.from(body)),
    },
    body,
  })
  const { db } = platform.parts
  const { receipt_id } = await db
    .selectFrom('trigger_deliveries')
    .select('receipt_id')
    .where('delivery_id', '=', delivery_id)
    .executeTakeFirstOrThrow()
  const { fire_id } = await db
    .selectFrom('trigger_fires')
    .select('fire_id')
    .where('delivery_id', '=', delivery_id)
    .executeTakeFirstOrThrow()
  return { ids: { project_id, slug: 'hook', receipt_id, fire_id } }
}

const ownFire: Prepare = async (stage) => {
  const { ids = {} } = await trigger(stage)
  await ask(stage, 'POST', `${inProject(stage)}/triggers/${ids['slug']}/fire`, {})
  const { fire_id } = await stage.platform.parts.db
    .selectFrom('trigger_fires')
    .select('fire_id')
    .where('slug', '=', ids['slug'] ?? '')
    .executeTakeFirstOrThrow()
  return { ids: { ...ids, fire_id } }
}

const secret: Prepare = async (stage) => {
  const name = some()
  await ask(stage, 'PUT', `${inProject(stage)}/secrets/${name}`, { value: 'x' })
  return { ids: { name } }
}

const personalSecret: Prepare = async (stage) => {
  const name = some()
  await ask(stage, 'PUT', `${inProject(stage)}/personal-secrets/${name}`, { value: 'x' })
  return { ids: { name } }
}

const member: Prepare = async ({ platform, objects }) => {
  const { user_id } = await addPerson(platform.parts.db, objects['account_id'] ?? '', 'member')
  return { ids: { user_id } }
}

const projectMember: Prepare = async (stage) => {
  const made = await member(stage)
  await ask(stage, 'PUT', `${inProject(stage)}/members/${made.ids?.['user_id']}`, { role: 'viewer' })
  return made
}

/** A person of an account of their own, invited into the owner's. */
const invited: Prepare = async (stage) => {
  const person = await stage.platform.stranger()
  const email = `${person.user_id}@svc.invalid`
  const made = await ask(stage, 'POST', `${inAccount(stage)}/invitations`, { email })
  return { ...person, body: { token: made.pick('token') } }
}

const invitation: Prepare = async (stage) => {
  const email = `${some()}@example.com`
  const made = await ask(stage, 'POST', `${inAccount(stage)}/invitations`, { email })
  return { ids: { invitation_id: made.pick('invitation_id') } }
}

const role: Prepare = async (stage) => {
  const body = { name: some(), base_role: 'viewer', capabilities: [] }
  const made = await ask(stage, 'POST', `${inAccount(stage)}/roles`, body)
  return { ids: { role_id: made.pick('role_id') }, body: { name: some() } }
}

type Kind = Parameters<typeof mint>[1]

const token =
  (row: (ids: Ids) => Omit<Kind, 'user_id'>): Prepare =>
  async ({ platform, objects }) => {
    const { user_id } = platform.owner
    return { ids: { token_id: (await mint(platform.parts.db, { user_id, ...row(objects) })).token_id } }
  }

const signedIn: Prepare = async ({ platform, objects }) => {
  const { db } = platform.parts
  const { user_id } = await addPerson(db, objects['account_id'] ?? '', 'member')
  return { user_id, token: (await mintSignIn(db, { user_id })).access }
}

const singleSignOn: Prepare = async ({ platform, objects }) => ({
  ids: { domain: await makeSingleSignOn(platform.parts.db, objects['account_id'] ?? '') },
})

const approvedApp: Prepare = async ({ platform }) => ({
  ids: { client_id: await makeApproval(platform.parts.db, platform.owner.user_id) },
})

const browser: Prepare = async (stage) => ({
  ids: { browser_session_id: (await ask(stage, 'POST', '/v1/auth/browser', {})).pick('browser_session_id') },
})
const gatewayKey = token(({ project_id = '' }) => ({ kind: 'gateway', project_id }))
/** The rows that must exist before an operation, where more is needed than an object of its path. */
const prepare: Readonly<Record<string, Prepare>> = {
  setBranding: async () => ({ body: { display_name: 'Acme', accent: null } }),
  updateAccount: async () => ({ body: { default_model: 'a/b' } }),
  createProjectToken: named,
  createToken: named,
  createGatewayKey: named,
  createScimToken: named,
  createRole: named,
  provisionProject: async () => ({ body: { name: some(), idempotency_key: some() } }),
  setGroupRoles: async () => ({ body: { projects: [] } }),
  createInvitation: async () => ({ body: { email: `${some()}@example.com` } }),
  setKeyRules: async () => ({ body: { expiry_required: false, max_days: null } }),
  setSignInRules: async () => ({ body: { mfa_required: false } }),
  createSecret: async () => ({ body: { name: some() } }),
  revokeToken: token(() => ({ kind: 'user' })),
  revokeProjectToken: token(({ project_id = '' }) => ({ kind: 'project', project_id })),
  ...{ updateGatewayKey: gatewayKey, rotateGatewayKey: gatewayKey, revokeGatewayKey: gatewayKey },
  revokeScimToken: token(({ account_id = '' }) => ({ kind: 'scim', account_id })),
  acceptInvitation: invited,
  revokeInvitation: invitation,
  ...{ updateMember: member, removeMember: member, setProjectMember: member },
  removeProjectMember: projectMember,
  ...{ updateRole: role, deleteRole: role },
  createChangeRequest: newChange,
  updateChangeRequest: async (given) => ({ ...(await change(given)), body: { title: some() } }),
  closeChangeRequest: change,
  mergeChangeRequest: async (stage) => ({ ...(await change(stage)), body: { expected_head_sha: undefined } }),
  requestChanges: change,
  reopenChangeRequest: closedChange,
  archiveProject: project,
  updateProject: project,
  deleteSecret: secret,
  deletePersonalSecret: personalSecret,
  deleteDomain: singleSignOn,
  deleteAccountSso: singleSignOn,
  revokeOAuthApp: approvedApp,
  ...{ updateSession: session, stopSession: session, deleteSession: session },
  restartSession: stoppedSession,
  startSession: stoppedSession,
  promptSession: session,
  cancelPrompt: prompt,
  createPreviewTicket: shownSession,
  createTrigger: newTrigger,
  updateTrigger: trigger,
  deleteTrigger: trigger,
  fireTrigger: trigger,
  redeliverTrigger: delivery,
  replayTriggerFire: ownFire,
  setTriggerActivation: async (stage) => ({ ...(await project(stage)), body: { paused: true } }),
  ...appMutations,
  ...channelMutations,
  ...connectorMutations,
  ...eventMutations,
  ...gatewayMutations,
  ...harnessMutations,
  ...reviewMutations,
  setFeatures: async () => ({ body: { previews: false } }),
  ...budgetMutations,
  signOut: signedIn,
  openBrowserSession: signedIn,
  endBrowserSession: browser,
  changePassword: signedIn,
}

/** The parameters that everything else is in; there is one of each for all operations. */
const homes = ['account_id', 'project_id']

/** The rows that must exist before the operation, made anew each time: the last object that its path names, or its own. */
export async function prepareFor({ name, path }: Operation, stage: Stage): Promise<RequestInputs> {
  const own = prepare[name]
  if (own !== undefined) return own(stage)
  const last = parametersOf(path).at(-1) ?? ''
  const maker = homes.includes(last) ? undefined : makerOf(path, last)
  if (maker === undefined) return {}
  const { platform, objects } = stage
  return { ids: { [last]: await makeOne(platform, platform.owner, maker, objects, last) } }
}
