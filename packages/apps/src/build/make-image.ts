import { appDefaults, type ImageConfig } from '@svc/app'
import type { AppReleaseRow, ProjectRow } from '@svc/db'
import { listFiles, readFile, type Repository } from '@svc/git'
import { type BuildFile, type ProgramImage, SandboxError } from '@svc/sandbox'
import { appLimits, type Running } from '../context.ts'
import type { ReleaseLog } from '../releases/release-log.ts'
import { ReleaseError } from '../releases/release-error.ts'
import type { Stored } from '../releases/store-files.ts'
import { isPrivate } from './archive.ts'

export interface ImageInput {
  readonly project: ProjectRow
  readonly release: AppReleaseRow
  readonly repository: Repository
  readonly image: ImageConfig
  readonly log: ReleaseLog
}

/** The image of a release: one that is fetched and pinned, or one that a Dockerfile makes. */
export async function makeImage(ctx: Running, input: ImageInput): Promise<Stored> {
  try {
    const { name, digest, bytes } = await imageOf(ctx, input)
    return { artifact: { kind: 'image', digest, bytes, files: 0, image: name }, files: [] }
  } catch (error) {
    if (error instanceof SandboxError && !error.retryable) throw new ReleaseError('image', error.message)
    throw error
  }
}

async function imageOf(ctx: Running, { release, repository, image, log }: ImageInput): Promise<ProgramImage> {
  const { programs } = ctx.runtime
  if (image.from === 'image') {
    await log.say(`Release ${release.number}: fetches ${image.image}`)
    return programs.pin(image.image, ctx.signal)
  }
  const { context, dockerfile } = image
  const { commit_sha, config } = release
  await log.say(`Release ${release.number} of ${commit_sha.slice(0, 12)}: builds ${dockerfile}`)
  const { cpu, memory_gb, disk_gb } = config.resources ?? appDefaults
  // Its lines come one at a time, and are written in their order.
  let written = Promise.resolve()
  const built = await programs.build(
    {
      key: `app-${release.release_id}`,
      dockerfile: context === '' ? dockerfile : dockerfile.slice(context.length + 1),
      files: () => contextFiles(repository, commit_sha, context),
      limits: { cpu, memory_mb: memory_gb * 1024, disk_mb: disk_gb * 1024 },
      arguments: {},
    },
    (line) => {
      written = written.then(() => log.built(line))
    },
    ctx.signal,
  )
  await written
  return built
}

async function contextFiles(
  repository: Repository,
  commit_sha: string,
  context: string,
): Promise<BuildFile[]> {
  const entries = await listFiles(repository, { ref: commit_sha, path: context, recursive: true })
  if (entries === null)
    throw new ReleaseError(
      'config',
      `There is no folder ${JSON.stringify(context)} at ${commit_sha.slice(0, 12)}`,
    )
  const files: BuildFile[] = []
  for (const { path: at, type, mode } of entries) {
    const path = context === '' ? at : at.slice(context.length + 1)
    if (type !== 'file' || isPrivate(path)) continue
    const file = await readFile(repository, { ref: commit_sha, path: at, max_bytes: appLimits.bytes })
    if (file !== null) files.push({ path, executable: mode === '100755', content: file.content })
  }
  return files
}
