import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { ProjectRow, sessions } from '@svc/db'
import { listFiles, readFile, type Repository, resolveBranch } from '@svc/git'
import { type Manifest, sandboxTemplate } from '@svc/manifest'
import {
  type BuildFile,
  SandboxError,
  type SandboxLimits,
  type SandboxTemplate,
  type TemplateWish,
} from '@svc/sandbox'
import { manifestAt } from '../../projects/read-manifest.ts'

export interface ChosenTemplate {
  readonly template: SandboxTemplate
  readonly limits: SandboxLimits
}

type Declared = Manifest['sandbox']['templates'][number]

const maxFiles = 2_000
const maxBytes = 64 * 1024 * 1024
const megabytesOfGigabyte = 1_024

/**
 * The template that a session's sandbox is made from, as the default branch declares and builds it: a change that is
 * not merged does not choose the machine that runs it. Null for the built-in one.
 */
export async function sessionTemplate(
  repository: Repository,
  project: ProjectRow,
  session: sessions.SessionView,
): Promise<ChosenTemplate | null> {
  // An empty repository has none.
  const sha = await resolveBranch(repository, project.default_branch)
  const manifest = sha === null ? null : await manifestAt(repository, sha)
  if (sha === null || manifest === null) return null
  const declared = declaredTemplate(manifest, session.agent_name, session.requested.sandbox_slug)
  return declared === null ? null : readTemplate(repository, sha, declared)
}

/** The template that the session asks for by name, else its agent's; null for the built-in one. */
export function declaredTemplate(
  manifest: Manifest,
  agent_name: string,
  asked: string | undefined,
): Declared | null {
  const agent = manifest.agents.find(({ name }) => name === agent_name) ?? null
  return sandboxTemplate(manifest, asked === undefined ? agent : { sandbox: asked })
}

/** The parts of a template that the provider of a sandbox needs to know. */
export function wishOf({ slug, image, dockerfile, entrypoint }: Declared): TemplateWish {
  return {
    slug,
    ...(image === null ? {} : { image }),
    ...(dockerfile === null ? {} : { dockerfile }),
    ...(entrypoint === null ? {} : { entrypoint }),
  }
}

/** A declared template with what its image is built from. */
export async function readTemplate(
  repository: Repository,
  sha: string,
  declared: Declared,
): Promise<ChosenTemplate> {
  const { slug, image, dockerfile, entrypoint, cpu, memory, disk } = declared
  const limits = {
    ...(cpu === null ? {} : { cpu }),
    ...(memory === null ? {} : { memory_mb: memory * megabytesOfGigabyte }),
    ...(disk === null ? {} : { disk_mb: disk * megabytesOfGigabyte }),
  }
  const common = { slug, ...(entrypoint === null ? {} : { entrypoint }) }
  if (dockerfile === null) return { template: { ...common, image }, limits }
  const build = await readBuild(repository, sha, slug, dockerfile)
  return { template: { ...common, dockerfile, build }, limits }
}

/** The build context is the Dockerfile's folder: every file in it counts, no other does. */
async function readBuild(repository: Repository, sha: string, slug: string, path: string) {
  const dockerfile = posix.normalize(path)
  const folder = posix.dirname(dockerfile) === '.' ? '' : posix.dirname(dockerfile)
  const entries = (await listFiles(repository, { ref: sha, path: folder, recursive: true })) ?? []
  const files = entries.filter(({ type }) => type === 'file')
  if (!files.some((file) => file.path === dockerfile))
    throw new SandboxError(
      'image',
      `The sandbox template ${slug} names ${dockerfile}, which is not in the repository; correct its path in svc.yaml, or commit it.`,
    )
  const bytes = files.reduce((sum, { size }) => sum + (size ?? 0), 0)
  if (files.length > maxFiles || bytes > maxBytes)
    throw new SandboxError(
      'image',
      `The folder of ${dockerfile} holds more than ${maxFiles} files or ${maxBytes / 1024 / 1024} MB: give the Dockerfile a folder of its own.`,
    )
  const within = (file: string): string => posix.relative(folder, file)
  const key = createHash('sha256').update(dockerfile)
  for (const file of files) key.update(`\0${file.mode} ${file.sha} ${within(file.path)}`)
  return {
    key: key.digest('hex').slice(0, 32),
    dockerfile: within(dockerfile),
    files: async function* (): AsyncGenerator<BuildFile> {
      for (const { path, mode } of files)
        yield {
          path: within(path),
          executable: mode === '100755',
          content: await contentOf(repository, sha, path),
        }
    },
  }
}

async function contentOf(repository: Repository, sha: string, path: string): Promise<Buffer> {
  const file = await readFile(repository, { ref: sha, path, max_bytes: maxBytes })
  if (file === null)
    throw new SandboxError(
      'image',
      `The file ${path} cannot be read from the repository; commit it as a plain file.`,
    )
  return file.content
}
