import { appDefaults, type ImageConfig } from '@svc/app'
import type { AppReleaseRow, ProjectRow } from '@svc/db'
import type { Repository } from '@svc/git'
import { type ProgramImage, SandboxError } from '@svc/sandbox'
import type { Running } from '../context.ts'
import type { ReleaseLog } from '../releases/release-log.ts'
import { ReleaseError } from '../releases/release-error.ts'
import type { Stored } from '../releases/store-files.ts'
import { contextFiles } from './context-files.ts'

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
  const { context } = image
  const dockerfile = context === '' ? image.dockerfile : image.dockerfile.slice(context.length + 1)
  const { commit_sha, config } = release
  await log.say(`Release ${release.number} of ${commit_sha.slice(0, 12)}: builds ${image.dockerfile}`)
  const { cpu, memory_gb, disk_gb } = config.resources ?? appDefaults
  // Its lines come one at a time, and are written in their order.
  let written = Promise.resolve()
  const built = await programs.build(
    {
      key: `app-${release.release_id}`,
      dockerfile,
      files: () => contextFiles(repository, { commit_sha, context, dockerfile }),
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
