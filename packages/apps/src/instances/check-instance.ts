import { appDefaults } from '@svc/app'
import {
  appLines,
  appInstances,
  type AppInstanceRow,
  appReleases,
  type AppReleaseRow,
  apps,
  projects,
  withTriedLock,
} from '@svc/db'
import type { ProgramState } from '@svc/sandbox'
import type { Running } from '../context.ts'
import { lockOf } from './bring-up.ts'
import { endInstance } from './end-instance.ts'
import { keepLines, logTail } from './keep-lines.ts'
import { withControl } from './sandbox-of.ts'
import { wantInstance } from './wake.ts'

const signOfLifeMs = 5000
/** An instance of which nothing was learned for this long is given up. */
const lostMs = 60_000

/** Looks after an instance that answers: its log, its crashes, its sleep, and its end where it is gone. */
export async function checkInstance(
  ctx: Running,
  { instance_id }: { readonly instance_id: string },
): Promise<void> {
  await withTriedLock(ctx.locks, lockOf(instance_id), async () => {
    const instance = await appInstances.find(ctx.db, instance_id)
    if (instance?.state !== 'healthy' || instance.external_id === null) return
    const project = await projects.find(ctx.db, instance.project_id)
    if (project === undefined) return
    const { external_id } = instance
    const state = await withControl(ctx, project, { sandbox_id: instance_id, external_id }, (control) =>
      look(ctx, instance, control),
    ).catch(() => null)
    if (state !== null) return tend(ctx, instance, state)
    const status = await ctx.runtime.programs.status(external_id).catch(() => 'unknown' as const)
    const silent = ctx.now().getTime() - (instance.seen_at ?? instance.updated_at).getTime() > lostMs
    if (status === 'removed' || status === 'stopped') await replace(ctx, instance, 'it was gone')
    else if (silent) await replace(ctx, instance, 'it could not be reached for a minute')
  })
}

async function look(
  ctx: Running,
  instance: AppInstanceRow,
  control: Parameters<typeof keepLines>[2],
): Promise<ProgramState> {
  await keepLines(ctx, instance, control, ctx.signal)
  return control.state(ctx.signal)
}

async function tend(ctx: Running, instance: AppInstanceRow, state: ProgramState): Promise<void> {
  const { instance_id } = instance
  const now = ctx.now()
  if (state.exits > instance.restarts || state.phase === 'failed') await crashed(ctx, instance, state)
  if (state.phase === 'failed') {
    await endInstance(ctx, instance, 'fail', { reason: exitOf(state) })
    return
  }
  const old = now.getTime() - (instance.seen_at?.getTime() ?? 0) > signOfLifeMs
  if (old || state.exits !== instance.restarts)
    await appInstances.keep(ctx.db, instance_id, now, { seen_at: now, restarts: state.exits })
  if (await isIdle(ctx, instance, state)) await fallAsleep(ctx, instance)
}

async function crashed(ctx: Running, instance: AppInstanceRow, state: ProgramState): Promise<void> {
  const { release_id, instance_id } = instance
  const [app, release] = [
    await apps.findById(ctx.db, instance.app_id),
    await appReleases.find(ctx.db, release_id),
  ]
  if (app === undefined || release === undefined) return
  const words = await logTail(ctx, { release_id, instance_id })
  const about = { release_id, number: release.number, instance_id, restarts: state.exits }
  await ctx.db.transaction().execute(async (tx) => {
    await appLines.add(tx, instance, [
      { source: 'platform', stream: 'stderr', at: ctx.now(), line: exitOf(state), instance_id },
    ])
    await apps.record(tx, app, 'app.crashed', { ...about, reason: exitOf(state), log_tail: words }, ctx.now())
  })
}

function exitOf({ last_exit, reason, phase }: ProgramState): string {
  if (phase === 'failed' && reason !== null) return reason
  if (last_exit === null) return 'The program ended'
  return last_exit.signal === null
    ? `The program ended with code ${last_exit.code}`
    : `The program was ended by ${last_exit.signal}`
}

async function isIdle(ctx: Running, instance: AppInstanceRow, state: ProgramState): Promise<boolean> {
  const release = await appReleases.find(ctx.db, instance.release_id)
  const used = [
    instance.last_request_at?.getTime() ?? 0,
    instance.ready_at?.getTime() ?? 0,
    state.last_byte_at === null ? 0 : Date.parse(state.last_byte_at),
  ]
  return ctx.now().getTime() - Math.max(...used) > idleMsOf(release)
}

/** The time without a visitor after which it sleeps. */
const idleMsOf = (release: AppReleaseRow | undefined): number =>
  (release?.config.run ?? appDefaults).idle_timeout_seconds * 1000

async function fallAsleep(ctx: Running, instance: AppInstanceRow): Promise<void> {
  const { release_id, instance_id } = instance
  const app = await apps.findById(ctx.db, instance.app_id)
  if (app === undefined) return
  await ctx.db.transaction().execute(async (tx) => {
    if (await appInstances.sleep(tx, instance, ctx.now()))
      await apps.record(tx, app, 'app.slept', { release_id, instance_id }, ctx.now())
  })
}

/** Its place is taken by a new one at once where visitors came lately, and else with the next. */
async function replace(ctx: Running, instance: AppInstanceRow, reason: string): Promise<void> {
  const { release_id } = instance
  if (!(await endInstance(ctx, instance, 'lose', { reason }))) return
  const release = await appReleases.find(ctx.db, release_id)
  const app = await apps.findById(ctx.db, instance.app_id)
  const used = instance.last_request_at?.getTime() ?? 0
  if (app !== undefined)
    await ctx.db
      .transaction()
      .execute((tx) =>
        apps.record(tx, app, 'app.crashed', { release_id, reason, number: release?.number }, ctx.now()),
      )
  if (ctx.now().getTime() - used < idleMsOf(release)) await wantInstance(ctx, release_id)
}
