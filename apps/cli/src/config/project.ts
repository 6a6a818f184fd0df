import { uuidPattern } from '@svc/facts'
import type { Client } from '@svc/sdk'
import { OperationError } from '../failures.ts'
import type { Env } from '../io.ts'
import type { Link } from './link-file.ts'
import type { Target } from './target.ts'

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

export interface ProjectInput {
  readonly flag: string | undefined
  readonly env: Env
  readonly link: Link | null
  readonly target: Target
  readonly client: Client
}

/** The flag, `SVC_PROJECT_ID`, the link file, or the one project that the sandbox's own token reaches. */
export async function resolveProject({ flag, env, link, target, client }: ProjectInput): Promise<string> {
  const named = flag ?? (env['SVC_PROJECT_ID'] || undefined) ?? link?.project_id
  if (named !== undefined) return isUuid(named) ? named : projectBySlug(client, named)
  if (target.token_source !== null && target.token_source !== 'config file') {
    const [only, ...more] = await client.projects.list()
    if (only !== undefined && more.length === 0) return only.project_id
  }
  throw new OperationError(
    'no project: this folder is not linked to one',
    'give --project <id>, set SVC_PROJECT_ID, or run `svc projects link`',
  )
}

export async function projectBySlug(client: Client, slug: string): Promise<string> {
  const projects = await client.projects.list()
  const found =
    projects.find((project) => project.slug === slug) ?? projects.find((project) => project.name === slug)
  if (found !== undefined) return found.project_id
  throw new OperationError(
    `there is no project ${slug}`,
    '`svc projects ls` shows the projects that you reach',
  )
}
