import { setTimeout as pause } from 'node:timers/promises'
import type { FailureCategory, RunConfig } from '@svc/app'
import {
  appInstances,
  type AppInstanceRow,
  appReleases,
  type AppReleaseRow,
  type AppRow,
  apps,
  type ProjectRow,
  projects,
  withLock,
} from '@svc/db'
import { type ProgramControl, type ProgramState, type SandboxEndpoint, SandboxError } from '@svc/sandbox'
import type { Running } from '../context.ts'
import { ReleaseError } from '../releases/release-error.ts'
import { objectOf } from '../releases/store-files.ts'
import { endInstance } from './end-instance.ts'
import { keepLines, logTail } from './keep-lines.ts'
import { programOf } from './program-of.ts'
import { sandboxOf, withControl } from './sandbox-of.ts'

/** `over`: it is not wanted any more. */
export type BroughtUp =
  | { readonly kind: 'healthy' }
  | { readonly kind: 'over' }
  | { readonly kind: 'failed'; readonly category: FailureCategory; readonly message: string }

interface Starting {
  readonly instance: AppInstanceRow
  readonly project: ProjectRow
  readonly app: AppRow
  readonly release: AppReleaseRow
  readonly run: RunConfig
}

const lookMs = 250
const signOfLifeMs = 3000

/** Starts the live instance of a release, and goes on where an earlier run of this died; each step may be repeated. */
export async function bringUp(ctx: Running, instance_id: string): Promise<BroughtUp> {
  return withLock(ctx.locks, lockOf(instance_id), async () => {
    const instance = await appInstances.find(ctx.db, instance_id)
    if (instance?.state === 'healthy') return { kind: 'healthy' }
    if (instance?.state === 'failed') return failedBefore(instance)
    if (instance?.state !== 'starting') return { kind: 'over' }
    if (!(await appInstances.isWanted(ctx.db, instance_id, ctx.now()))) return { kind: 'over' }
    const [release, app, project] = await Promise.all([
      appReleases.find(ctx.db, instance.release_id),
      apps.findById(ctx.db, instance.app_id),
      projects.find(ctx.db, instance.project_id),
    ])
    const run = release?.config.run
    if (release === undefined || app === undefined || project === undefined || run === undefined)
      return { kind: 'over' }
    try {
      return await start(ctx, { instance, release, app, project, run })
    } catch (error) {
      const fault = faultOf(error)
      if (fault === null || ctx.signal.aborted) throw error
      return fail(ctx, instance, fault)
    }
  })
}

export const lockOf = (instance_id: string) => `app-instance:${instance_id}`

async function start(ctx: Running, starting: Starting): Promise<BroughtUp> {
  const { release, project, instance } = starting
  const { programs, onStep } = ctx.runtime
  const { instance_id } = instance
  const sandbox = sandboxOf(ctx, project, {
    sandbox_id: instance_id,
    image: release.artifact?.image ?? null,
    resources: release.config.resources,
  })
  await onStep?.('instance row')
  // Of the same id it is the same sandbox: one that was made already is adopted.
  const { external_id } = await programs.create(sandbox, ctx.signal)
  await onStep?.('create')
  const at = ctx.now()
  await appInstances.keep(ctx.db, instance_id, at, {
    external_id,
    seen_at: at,
    ...(instance.started_at === null && { started_at: at, metered_to: at }),
  })
  const state = await withControl(ctx, project, { sandbox_id: instance_id, external_id }, (control) =>
    untilReady(ctx, starting, control),
  )
  if (state === null) throw new SandboxError('network', 'The sandbox of this app does not answer')
  if (state.phase !== 'ready') {
    const words = await logTail(ctx, { release_id: release.release_id, instance_id })
    const category = state.exits > 0 || state.last_exit !== null ? 'start' : 'readiness'
    return fail(ctx, instance, { category, message: messageOf(state, ctx.runtime.start_ms, words) })
  }
  await onStep?.('ready')
  const front = await programs.front(external_id)
  if (front === null) throw new SandboxError('network', 'The sandbox of this app has no address')
  const now = ctx.now()
  const healthy = await appInstances.apply(ctx.db, instance_id, 'answer', now, {
    endpoint: JSON.stringify(keptFront(front)),
    ...{ ready_at: now, seen_at: now, restarts: state.exits },
  })
  return healthy === undefined ? { kind: 'over' } : { kind: 'healthy' }
}

/** The state of its program once it is ready, or will not be. */
async function untilReady(ctx: Running, starting: Starting, control: ProgramControl): Promise<ProgramState> {
  const { signal } = ctx
  const { instance_id } = starting.instance
  let state = await control.state(signal)
  if (state.phase === 'empty') {
    await putFiles(ctx, starting, control)
    const { program, secrets_revision } = await programFor(ctx, starting)
    await appInstances.keep(ctx.db, instance_id, ctx.now(), { secrets_revision })
    state = await control.start(program, signal)
    await ctx.runtime.onStep?.('start')
  }
  let instance = starting.instance
  let seen = performance.now()
  for (;;) {
    const last_line = await keepLines(ctx, instance, control, signal)
    instance = { ...instance, last_line }
    if (['ready', 'failed', 'ended'].includes(state.phase)) return state
    if (performance.now() - seen > signOfLifeMs) {
      seen = performance.now()
      const still = await appInstances.keepStarting(ctx.db, instance_id, ctx.now())
      if (!still) return state
    }
    await pause(lookMs, undefined, { signal })
    state = await control.state(signal)
  }
}

async function putFiles(ctx: Running, { release }: Starting, control: ProgramControl): Promise<void> {
  if (release.artifact?.kind !== 'archive') return
  const archive = await ctx.objects.get(objectOf(release.artifact.digest))
  if (archive === null)
    throw new ReleaseError(
      'worker',
      `The archive of release ${release.number} is gone from the object store; make a new release of its commit`,
    )
  await control.put(archive, ctx.signal)
}

async function programFor(ctx: Running, { project, app, release, run }: Starting) {
  const channels = await apps.channels(ctx.db, [app.app_id])
  const channel = channels.find(({ channel_id }) => channel_id === release.channel_id)
  if (channel === undefined) throw new Error('A release has no channel')
  return programOf(ctx, { project, app, release, channel, config: release.config, run })
}

/** Visitors reach it by its address alone: rows hold no secret. */
function keptFront({ url, ca, headers }: SandboxEndpoint) {
  if (headers !== undefined && Object.keys(headers).length > 0)
    throw new ReleaseError(
      'capacity',
      'The provider of this platform gives apps no address that visitors can use; ask the operator for another',
    )
  return { url, ...(ca !== undefined && { ca }) }
}

interface Fault {
  readonly category: FailureCategory
  readonly message: string
}

/** An error that the same again meets again; null for others. */
function faultOf(error: unknown): Fault | null {
  if (error instanceof ReleaseError) return { category: error.category, message: error.message }
  if (!(error instanceof SandboxError) || error.kind === 'network' || error.kind === 'internal') return null
  const category = error.kind === 'image' ? 'image' : 'capacity'
  return { category, message: error.message }
}

async function fail(ctx: Running, instance: AppInstanceRow, fault: Fault): Promise<BroughtUp> {
  await endInstance(ctx, instance, 'fail', { reason: fault.message })
  return { kind: 'failed', ...fault }
}

function failedBefore({ reason }: AppInstanceRow): BroughtUp {
  return { kind: 'failed', category: 'start', message: reason ?? 'The app did not start' }
}

function messageOf({ reason, last_exit }: ProgramState, start_ms: number, words: string): string {
  const ended =
    last_exit === null
      ? `It did not answer within ${Math.round(start_ms / 1000)} s`
      : `It ended ${last_exit.signal === null ? `with code ${last_exit.code}` : `by ${last_exit.signal}`}`
  const said = words === '' ? 'It printed nothing.' : `Its last words:\n${words}`
  return `${reason ?? ended}. ${said}`.replace('..', '.')
}
