import { releaseMachine, type ReleaseEvent, type ReleaseFailure } from '@svc/app'
import { appBuilds, appReleases, type AppReleaseRow, type AppRow, apps, jsonb, withTriedLock } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { appsAreOn } from '../app/apps-are-on.ts'
import { appLimits, type Running, type Working } from '../context.ts'
import { bringUp } from '../instances/bring-up.ts'
import { moneyRefusal } from '../meter/money.ts'
import { wantInstance } from '../instances/wake.ts'
import { factsOf } from './create.ts'
import { Ended } from './ended.ts'
import { makeArtifact, requireRuntime } from './make-artifact.ts'
import { logOf, type ReleaseLog } from './release-log.ts'
import { ReleaseError } from './release-error.ts'
import { cancel, switchTo } from './switch-to.ts'

/** Works on a release until it ended. Each step is written down, so that a later run goes on where this one died. */
export async function runRelease(
  ctx: Working,
  { release_id }: { readonly release_id: string },
): Promise<void> {
  await withTriedLock(ctx.locks, `app-release:${release_id}`, async () => {
    const turn = await turnOf(ctx, release_id)
    if (turn === null) return
    try {
      await workUntilEnd(ctx, turn.release)
    } finally {
      turn.end()
    }
    await measure(ctx, release_id)
  })
}

/** Shows an operator how long a release took that ended in this run. */
async function measure(ctx: Working, release_id: string): Promise<void> {
  const row = await appReleases.find(ctx.db, release_id)
  if (row === undefined || row.finished_at === null) return
  const { config, status, created_at, finished_at } = row
  if (status !== 'ready' && status !== 'failed' && status !== 'cancelled') return
  const seconds = Math.max(0, (finished_at.getTime() - created_at.getTime()) / 1000)
  ctx.metrics.observe('svc_app_release_seconds', { type: config.type, status }, seconds)
}

interface Turn {
  /** As it begins. */
  readonly release: AppReleaseRow
  end(): void
}

/** The turn of a release; one whose build has to wait for others stays queued, and is asked for again. */
async function turnOf(ctx: Working, release_id: string): Promise<Turn | null> {
  const { db, runtime } = ctx
  const found = await appReleases.find(db, release_id)
  const app = found && (await apps.findById(db, found.app_id))
  const builds = found?.config.build !== undefined || found?.config.image !== undefined
  if (app === undefined || !builds || found.artifact !== null || runtime === undefined) {
    const release = await appReleases.begin(db, release_id, ctx.now())
    return release === undefined ? null : { release, end: () => undefined }
  }
  const end = runtime.takeBuild()
  if (end === null) return null
  const release = await appBuilds.beginInTurn(
    db,
    { release_id, account_id: app.account_id },
    appLimits.builds,
    ctx.now(),
  )
  if (release !== undefined) return { release, end }
  end()
  return null
}

async function workUntilEnd(ctx: Working, release: AppReleaseRow): Promise<void> {
  const app = await apps.findById(ctx.db, release.app_id)
  if (app === undefined) return
  const log = logOf(ctx, release)
  try {
    await work(ctx, app, release, log)
  } catch (error) {
    if (error instanceof Ended) return
    if (ctx.signal.aborted) throw error
    const failure = failureOf(error, release)
    if (failure === null) throw error
    await fail(ctx, app, release, failure, log)
  }
}

async function work(ctx: Working, app: AppRow, begun: AppReleaseRow, log: ReleaseLog): Promise<void> {
  if (begun.attempts > appLimits.attempts)
    throw new ReleaseError(
      'worker',
      `The work on this release broke off ${appLimits.attempts} times; release the commit again`,
    )
  if (!(await appsAreOn(ctx.db, app.project_id)))
    return ctx.db.transaction().execute((tx) => cancel(ctx, tx, app, begun))
  let release = await advance(ctx, begun, 'validate')
  if (begun.status === 'queued')
    await ctx.db
      .transaction()
      .execute((tx) => apps.record(tx, app, 'app.release.started', factsOf(begun), ctx.now()))
  release = await advance(ctx, release, 'build')
  await ctx.runtime?.onStep?.('building')
  if (release.artifact === null) {
    const onCollected = async () => {
      release = await advance(ctx, release, 'provision')
    }
    await makeArtifact(ctx, { app, release, log, onCollected })
    await ctx.runtime?.onStep?.('artifact')
  }
  release = await advance(ctx, release, 'provision')
  const again = release.config.run === undefined ? 1 : tries
  for (let left = again; left > 0; left -= 1) {
    if (release.config.run !== undefined) await start(requireRuntime(ctx), app, release)
    release = await advance(ctx, release, 'check')
    await ctx.runtime?.onStep?.('checking')
    const switched = await switchTo(ctx, app, release)
    if (switched === 'ready') await log.say(`Release ${release.number} is ready`)
    if (switched !== 'not running') return
  }
  throw new ReleaseError(
    'start',
    'The app did not go on running until its address could be led to it; read its log',
  )
}

/** Starts the instance that the address will be led to. */
async function start(ctx: Running, app: AppRow, release: AppReleaseRow): Promise<void> {
  const refusal = await moneyRefusal(ctx, app)
  if (refusal !== null) throw new ReleaseError('budget', refusal.message)
  const instance = await wantInstance(ctx, release.release_id)
  if (instance === undefined) throw new Ended()
  const up = await bringUp(ctx, instance.instance_id)
  if (up.kind === 'failed') throw new ReleaseError(up.category, up.message)
  if (up.kind === 'over')
    await ctx.db.transaction().execute(async (tx) => {
      await cancel(ctx, tx, app, release)
    })
}

/** Times that an instance may be lost between its start and the move to it. */
const tries = 3

/** The release as it is after this step, which an earlier run may have taken. */
async function advance(ctx: Working, release: AppReleaseRow, event: ReleaseEvent): Promise<AppReleaseRow> {
  ctx.signal.throwIfAborted()
  if (!releaseMachine.accepts(release.status, event)) return release
  const row = await appReleases.apply(ctx.db, release.release_id, event, ctx.now())
  if (row !== undefined) return row
  throw new Ended()
}

/** The end that an error is for its release; null while the same again may go well. */
function failureOf(error: unknown, { status: step, attempts }: AppReleaseRow): ReleaseFailure | null {
  if (error instanceof ReleaseError)
    return { step, category: error.category, message: error.message, retryable: error.category === 'worker' }
  if (attempts < appLimits.attempts) return null
  const message =
    error instanceof ServiceError
      ? error.message
      : 'The platform failed at this; try again, or tell the operator'
  return { step, category: 'worker', message, retryable: true }
}

async function fail(
  ctx: Working,
  app: AppRow,
  release: AppReleaseRow,
  failure: ReleaseFailure,
  log: ReleaseLog,
): Promise<void> {
  await log.say(failure.message, 'stderr')
  await ctx.db.transaction().execute(async (tx) => {
    const at = (await appReleases.find(tx, release.release_id)) ?? release
    const ended = { ...failure, step: at.status }
    const now = ctx.now()
    const row = await appReleases.apply(tx, release.release_id, 'fail', now, {
      failure: jsonb(ended),
      finished_at: now,
    })
    if (row === undefined) return
    await apps.record(tx, app, 'app.release.failed', { ...factsOf(row), failure: ended }, now)
  })
}
