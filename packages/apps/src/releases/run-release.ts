import { releaseMachine, type ReleaseEvent, type ReleaseFailure } from '@svc/app'
import {
  appObjects,
  appReleases,
  type AppReleaseRow,
  type AppRow,
  apps,
  jsonb,
  projects,
  withTriedLock,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import { openRepository } from '@svc/services'
import { appsAreOn } from '../app/apps-are-on.ts'
import { appLimits, type Working } from '../context.ts'
import { collectFiles } from './collect-files.ts'
import { factsOf } from './create.ts'
import { logOf, type ReleaseLog } from './release-log.ts'
import { ReleaseError } from './release-error.ts'
import { storeFiles } from './store-files.ts'
import { cancel, switchTo } from './switch-to.ts'

/** Works on a release until it ended. Each step is written down, so that a later run goes on where this one died. */
export async function runRelease(
  ctx: Working,
  { release_id }: { readonly release_id: string },
): Promise<void> {
  await withTriedLock(ctx.locks, `app-release:${release_id}`, async () => {
    const release = await appReleases.begin(ctx.db, release_id, ctx.now())
    const app = release && (await apps.findById(ctx.db, release.app_id))
    if (release === undefined || app === undefined) return
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
  })
}

async function work(ctx: Working, app: AppRow, begun: AppReleaseRow, log: ReleaseLog): Promise<void> {
  if (begun.attempts > appLimits.attempts)
    throw new ReleaseError('worker', `The work on this release broke off ${appLimits.attempts} times`)
  if (!(await appsAreOn(ctx.db, app.project_id)))
    return ctx.db.transaction().execute((tx) => cancel(ctx, tx, app, begun))
  let release = await advance(ctx, begun, 'validate')
  if (begun.status === 'queued')
    await ctx.db
      .transaction()
      .execute((tx) => apps.record(tx, app, 'app.release.started', factsOf(begun), ctx.now()))
  release = await advance(ctx, release, 'build')
  if (release.artifact === null) {
    const project = await projects.find(ctx.db, release.project_id)
    if (project === undefined) return
    const repository = await openRepository(ctx, project)
    const { commit_sha, config } = release
    const { files, left_out } = await collectFiles(repository, commit_sha, config.folder)
    await log.say(
      `Release ${release.number} of ${commit_sha.slice(0, 12)}: ${counted(files.length)} of ${config.folder || 'the repository'}`,
    )
    for (const line of left_out.slice(0, 20)) await log.say(`Left out ${line}`)
    if (left_out.length > 20) await log.say(`Left out ${left_out.length - 20} more`)
    release = await advance(ctx, release, 'provision')
    const store = {
      objects: ctx.objects,
      claim: (sha256: string) => appObjects.claim(ctx.db, sha256, ctx.now()),
    }
    const stored = await storeFiles(store, repository, commit_sha, files, ctx.signal)
    const changing = await appReleases.changedPaths(ctx.db, app.app_id, stored.files)
    const rows = stored.files.map((file) => ({ ...file, hashed: file.hashed && !changing.has(file.path) }))
    const digests = rows.flatMap(({ sha256, br_sha256, gzip_sha256 }) =>
      [sha256, br_sha256, gzip_sha256].filter((digest) => digest !== null),
    )
    const kept = await ctx.db.transaction().execute(async (tx) => {
      if (!(await appReleases.setArtifact(tx, release.release_id, stored.artifact, rows))) return false
      await appObjects.name(tx, digests)
      return true
    })
    if (!kept) throw new Ended()
    await log.say(`Stored ${counted(rows.length)}, ${stored.artifact.bytes} bytes`)
    if (!rows.some(({ path }) => path === 'index.html'))
      await log.say('There is no index.html: the address itself answers 404')
  }
  release = await advance(ctx, release, 'provision')
  release = await advance(ctx, release, 'check')
  if (await switchTo(ctx, app, release)) await log.say(`Release ${release.number} is ready`)
}

const counted = (files: number) => (files === 1 ? '1 file' : `${files} files`)

/** The release as it is after this step, which an earlier run may have taken. */
async function advance(ctx: Working, release: AppReleaseRow, event: ReleaseEvent): Promise<AppReleaseRow> {
  ctx.signal.throwIfAborted()
  if (!releaseMachine.accepts(release.status, event)) return release
  const row = await appReleases.apply(ctx.db, release.release_id, event, ctx.now())
  if (row !== undefined) return row
  throw new Ended()
}

/** Another caller ended the release. */
class Ended extends Error {}

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
