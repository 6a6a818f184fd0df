import { authenticate, type Context } from '@svc/context'
import { sandboxes, sessions } from '@svc/db'
import { createSession } from '../index.ts'
import type { TestProject } from './projects.ts'
import type { World } from './world.ts'

type Body = Parameters<typeof createSession>[1]['body']

export interface TestSession {
  readonly key: { readonly project_id: string; readonly session_id: string }
  readonly session_id: string
  readonly created_by: string
  row(): Promise<sessions.SessionView>
  sandbox(): Promise<NonNullable<Awaited<ReturnType<typeof sandboxes.find>>>>
  /** The environment that the running sandbox was born with. */
  environment(): Promise<Readonly<Record<string, string>>>
  /** A context of the running sandbox's own key. */
  daemon(): Promise<Context>
}

/** A session whose sandbox no worker has made yet. */
export async function newSession(
  world: World,
  project: TestProject,
  body: Body = {},
  ctx = project.ctx,
): Promise<TestSession> {
  const { project_id } = project
  const created = await createSession(ctx, { project_id, respond_async: false, body })
  if (created.kind !== 'created') throw new Error(`The session was queued: ${created.reason}`)
  const { session_id, created_by } = created.session
  const key = { project_id, session_id }
  const sandbox = async () => {
    const row = await sandboxes.find(world.db, session_id)
    if (!row) throw new Error('The session has no sandbox record')
    return row
  }
  const environment = async () => {
    const { external_id } = await sandbox()
    const known = world.provider.sandboxes.get(external_id ?? '')
    if (!known) throw new Error('The session has no sandbox')
    return known.environment
  }
  return {
    key,
    session_id,
    created_by,
    row: async () => {
      const row = await sessions.findById(world.db, session_id)
      if (!row) throw new Error('There is no such session')
      return row
    },
    sandbox,
    environment,
    daemon: async () => {
      const { SVC_SANDBOX_TOKEN = '' } = await environment()
      return world.as(await authenticate(world.base, SVC_SANDBOX_TOKEN))
    },
  }
}

/** A session that runs, with everything that was asked for done. */
export async function runningSession(
  world: World,
  project: TestProject,
  body: Body = {},
): Promise<TestSession> {
  const session = await newSession(world, project, body)
  await world.queue.drain()
  const { status } = await session.row()
  if (status !== 'running') throw new Error(`The session is ${status}`)
  return session
}
