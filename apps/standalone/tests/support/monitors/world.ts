import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startApi } from '@svc/api'
import { createLogger } from '@svc/boot'
import { type Db, triggerFires } from '@svc/db'
import { testDatabase } from '@svc/db/testing'
import { commit } from '@svc/git/testing'
import { ensureFirstAccount } from '@svc/identity'
import { openPlatform, platformEnv } from '@svc/platform'
import type { SandboxProvider } from '@svc/sandbox'
import { chooseProvider, providerSettings } from '@svc/sandbox/providers'
import { sandboxTools } from '@svc/sandbox/providers'
import { type Client, createClient, type Project } from '@svc/sdk'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  checkSandbox,
  destroySandbox,
  provisionSandbox,
  refreshCatalogue,
  type SandboxContext,
  stopSandbox,
} from '@svc/services'
import { z } from 'zod'
import { bundleProcess } from '../../../../../scripts/bundle-process.ts'
import { Child } from '../platform/child.ts'
import { freePorts } from '../../../../../scripts/free-port.ts'
import { sandboxProvider } from '../sessions/sandbox-provider.ts'
import { waitFor } from '../wait-for.ts'

/**
 * API, git, a real provider and real daemons; schedulers are processes that a test may kill. Only sandboxes of monitors
 * are made: a session that a line opens waits, and keeps its prompts in order.
 */
export interface MonitorWorld {
  readonly db: Db
  readonly client: Client
  readonly provider: SandboxProvider
  project(monitors: string): Promise<Project>
  /** The entries on the default branch, as the catalogue has them from now on. */
  declare(project: Project, monitors: string): Promise<void>
  startScheduler(): Promise<Child>
  /** Oldest first. */
  ledger(project: Project, slug: string): ReturnType<typeof triggerFires.list>
  /** The messages to the sessions of the project's triggers, oldest first. */
  prompts(project: Project): Promise<string[]>
  /** The system session of the project's monitors. */
  host(project: Project): Promise<HostSession | undefined>
  /** The socket at which that sandbox is reached. */
  socket(project: Project): Promise<string>
  close(): Promise<void>
}

interface HostSession {
  readonly session_id: string
  readonly status: string
  readonly external_id: string | null
}

const second_ms = 20
const prompt = "'{{ monitor.slug }} {{ monitor.seq }} {{ monitor.lifecycle }} {{ line.raw }}{{ line.n }}'"

export async function openMonitorWorld(): Promise<MonitorWorld> {
  const root = await mkdtemp(join(tmpdir(), 'svc-monitor-world-'))
  await chmod(root, 0o755)
  const database = await testDatabase()
  const [port = 0] = await freePorts(1)
  const settings = {
    DATABASE_URL: database.connection_string,
    SVC_PUBLIC_URL: `http://127.0.0.1:${port}`,
    SVC_REPOSITORIES_DIR: join(root, 'repositories'),
    SVC_MIRRORS_DIR: join(root, 'mirrors'),
    SVC_MASTER_KEY: randomBytes(32).toString('hex'),
    SVC_INTERNAL_PORT: 0,
  }
  for (const name of ['repositories', 'mirrors', 'sandboxes']) await mkdir(join(root, name))
  const log = createLogger({ name: 'monitors', level: 'silent' })
  const platform = await openPlatform(z.object(platformEnv).parse(settings), log)
  const { ctx, locks } = platform
  const api = await startApi(
    { ...ctx, version: '0', commit: 'test', public_docs: false },
    { host: '127.0.0.1', port, drain_ms: 100 },
  )
  const { provider } = await chooseProvider({
    SVC_SANDBOX_PROVIDER: sandboxProvider === 'bubblewrap' ? 'bubblewrap' : 'auto',
    settings: z.object(providerSettings).parse({ SVC_DOCKER_HOST: 'unix:///nonexistent.sock' }),
    root: join(root, 'sandboxes'),
    scope: 'monitors',
    api_url: ctx.settings.api_url,
    egress: { mode: 'open', forbidden_urls: [], private_repositories: false },
    tools: sandboxTools(fileURLToPath(new URL('../../..', import.meta.url))),
    log: (level, message, details) => log[level](details ?? {}, message),
  })
  const closing = new AbortController()
  const worker = workOn({ ...ctx, locks, provider, signal: closing.signal })
  const { token } = await ensureFirstAccount(ctx, null)
  const client = createClient({ api_url: ctx.settings.api_url, token })
  const scheduler = await bundleProcess(new URL('scheduler.ts', import.meta.url))
  const children: Child[] = []

  const world: MonitorWorld = {
    db: ctx.db,
    client,
    provider,
    project: async (monitors) => {
      const project = await client.projects.provision({ name: 'Monitored' })
      await world.declare(project, monitors)
      return project
    },
    declare: async ({ project_id }, monitors) => {
      const git_dir = join(settings.SVC_REPOSITORIES_DIR, `${project_id}.git`)
      await commit({ git_dir }, 'main', { 'svc.yaml': manifest(monitors) }, 'Declare monitors')
      const row = await ctx.db
        .selectFrom('projects')
        .selectAll()
        .where('project_id', '=', project_id)
        .executeTakeFirstOrThrow()
      await refreshCatalogue({ ...ctx, signal: closing.signal }, row)
    },
    startScheduler: async () => {
      const child = new Child(process.execPath, [scheduler, JSON.stringify(settings), String(second_ms)], {})
      children.push(child)
      await child.printed('ready')
      return child
    },
    ledger: async ({ project_id }, slug) =>
      (await triggerFires.list(ctx.db, { project_id, slug, limit: 1000 })).reverse(),
    prompts: async ({ project_id }) => {
      const rows = await ctx.db
        .selectFrom('session_prompts as p')
        .innerJoin('project_sessions as s', 's.session_id', 'p.session_id')
        .select('p.text')
        .where('s.project_id', '=', project_id)
        .orderBy('p.position')
        .execute()
      return rows.map(({ text }) => text.split('\n').at(-1) ?? '')
    },
    host: ({ project_id }) =>
      ctx.db
        .selectFrom('project_sessions as s')
        .innerJoin('session_sandboxes as b', 'b.session_id', 's.session_id')
        .select(['s.session_id', 's.status', 'b.external_id'])
        .where('s.project_id', '=', project_id)
        .where('s.origin', '=', 'system')
        .where('s.deleted_at', 'is', null)
        .executeTakeFirst(),
    socket: async (project) => {
      const { endpoint } = await ctx.db
        .selectFrom('session_sandboxes')
        .select('endpoint')
        .where('session_id', '=', (await world.host(project))?.session_id ?? '')
        .executeTakeFirstOrThrow()
      return decodeURIComponent(new URL(endpoint ?? '').pathname)
    },
    close: async () => {
      for (const child of children) if (!child.ended) await child.end('SIGTERM')
      closing.abort()
      await worker
      for (const { external_id } of await sandboxesOf(ctx.db))
        if (external_id !== null) await provider.destroy(external_id)
      await api.close()
      await platform.close()
      await database.close()
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return world
}

const manifest = (monitors: string) => `svc_version: 2
default_agent: default
agents:
  default:
    svc_cli: [project.read]
    secrets: [ALLOWED]
env:
  optional: [ALLOWED, OTHER]
triggers:
${monitors}`

/** An entry of the manifest; `more` are its other keys. */
export const entry = (slug: string, run: string, more = 'mode: stream') =>
  `  - { slug: ${slug}, type: monitor, run: ${JSON.stringify(run)}, ${more}, prompt: ${prompt} }\n`

const everyMs = 50

/** The work of a sandbox-worker for the sandboxes of monitors, and for nothing else. */
async function workOn(ctx: SandboxContext): Promise<void> {
  while (!ctx.signal.aborted) {
    for (const { session_id, status, deleted, sandbox_status } of await sandboxesOf(ctx.db)) {
      const input = { session_id }
      try {
        if (deleted) {
          if (sandbox_status !== 'archived') await destroySandbox(ctx, input)
        } else if (status === 'provisioning') await provisionSandbox(ctx, input)
        else if (status === 'running') await checkSandbox(ctx, input)
        else if (sandbox_status === 'active') await stopSandbox(ctx, input)
      } catch (error) {
        if (!ctx.signal.aborted) ctx.log.error({ err: error, ...input }, 'The work on a sandbox failed')
      }
    }
    await sleep(everyMs)
  }
}

async function sandboxesOf(db: Db) {
  const rows = await db
    .selectFrom('project_sessions as s')
    .innerJoin('session_sandboxes as b', 'b.session_id', 's.session_id')
    .select(['s.session_id', 's.status', 's.deleted_at', 'b.status as sandbox_status', 'b.external_id'])
    .where('s.origin', '=', 'system')
    .execute()
  return rows.map((row) => ({ ...row, deleted: row.deleted_at !== null }))
}

/** The ledger once it says so. */
export async function ledgerUntil(
  world: MonitorWorld,
  project: Project,
  slug: string,
  is: (fires: Awaited<ReturnType<MonitorWorld['ledger']>>) => boolean,
) {
  return waitFor(`the ledger of ${slug} says so`, async () => {
    const fires = await world.ledger(project, slug)
    return is(fires) && fires
  })
}
