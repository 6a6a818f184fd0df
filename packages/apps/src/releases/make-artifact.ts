import { counted } from '@svc/facts'
import type { AppRow } from '@svc/db'
import { appObjects, appReleases, type AppReleaseRow, projects } from '@svc/db'
import type { Repository } from '@svc/git'
import { openRepository } from '@svc/services'
import { shippedOf, treeArchive } from '../build/archive.ts'
import { keepArchive } from '../build/keep-archive.ts'
import { makeImage } from '../build/make-image.ts'
import { runBuild } from '../build/run-build.ts'
import { isRunning, type Working } from '../context.ts'
import { collectFiles } from './collect-files.ts'
import { Ended } from './ended.ts'
import type { ReleaseLog } from './release-log.ts'
import { ReleaseError } from './release-error.ts'
import { type ReleaseStore, type Stored, storeFiles, storeShipped } from './store-files.ts'

export interface Making {
  readonly app: AppRow
  readonly release: AppReleaseRow
  readonly log: ReleaseLog
  /** Says that what is shipped is known, and is kept from now on. */
  readonly onCollected: () => Promise<unknown>
}

/** Makes what a release is of, and keeps it. */
export async function makeArtifact(ctx: Working, making: Making): Promise<void> {
  const { release, log } = making
  const project = await projects.find(ctx.db, release.project_id)
  if (project === undefined) throw new Ended()
  const repository = await openRepository(ctx, project)
  const { commit_sha, config } = release
  const store: ReleaseStore = {
    objects: ctx.objects,
    claim: (sha256) => appObjects.claim(ctx.db, sha256, ctx.now()),
  }
  const folder = config.folder || 'the repository'
  const { build, image, run } = config
  if (image !== undefined)
    return keep(
      ctx,
      making,
      await makeImage(requireRuntime(ctx), { project, release, repository, image, log }),
    )
  if (build !== undefined) {
    const input = { project, release, repository, build }
    await log.say(`Release ${release.number} of ${commit_sha.slice(0, 12)}: builds ${folder}`)
    const stored = await runBuild(requireRuntime(ctx), input, async (output) => {
      await making.onCollected()
      const shipped = shippedOf(output)
      if (run === undefined) return storeShipped(store, shipped, ctx.signal)
      return { artifact: await keepArchive(store, release.release_id, shipped), files: [] }
    })
    return keep(ctx, making, stored)
  }
  const { files, left_out } = await collectFiles(repository, commit_sha, config.folder)
  await log.say(
    `Release ${release.number} of ${commit_sha.slice(0, 12)}: ${counted(files.length, 'file')} of ${folder}`,
  )
  for (const line of left_out.slice(0, 20)) await log.say(`Left out ${line}`)
  if (left_out.length > 20) await log.say(`Left out ${left_out.length - 20} more`)
  await making.onCollected()
  if (run === undefined)
    return keep(ctx, making, await storeFiles(store, repository, commit_sha, files, ctx.signal))
  return keep(ctx, making, { artifact: await archiveOf(ctx, store, repository, release), files: [] })
}

async function archiveOf(ctx: Working, store: ReleaseStore, repository: Repository, release: AppReleaseRow) {
  const tree = treeArchive(repository, release.commit_sha, release.config.folder, ctx.signal)
  return keepArchive(store, release.release_id, shippedOf(tree))
}

export function requireRuntime(ctx: Working) {
  if (isRunning(ctx)) return ctx
  throw new ReleaseError('worker', 'This platform runs no programs now; ask the operator')
}

async function keep(ctx: Working, { app, release, log }: Making, { artifact, files }: Stored): Promise<void> {
  const changing = await appReleases.changedPaths(ctx.db, app.app_id, files)
  const rows = files.map((file) => ({ ...file, hashed: file.hashed && !changing.has(file.path) }))
  const digests = rows.flatMap(({ sha256, br_sha256, gzip_sha256 }) =>
    [sha256, br_sha256, gzip_sha256].filter((digest) => digest !== null),
  )
  if (artifact.kind === 'archive') digests.push(artifact.digest)
  const kept = await ctx.db.transaction().execute(async (tx) => {
    if (!(await appReleases.setArtifact(tx, release.release_id, artifact, rows))) return false
    await appObjects.name(tx, digests)
    return true
  })
  if (!kept) throw new Ended()
  if (artifact.kind === 'image') return log.say(`Its image is ${artifact.digest}`)
  await log.say(`Stored ${counted(artifact.files, 'file')}, ${artifact.bytes} bytes`)
  if (artifact.kind === 'files' && !rows.some(({ path }) => path === 'index.html'))
    await log.say('There is no index.html: the address itself answers 404')
}
