import { checkedRows, type ProjectRow } from '@svc/db'
import type { Repository } from '@svc/git'
import { tryOpenRepository } from '@svc/services'
import type { CheckContext, CheckScope, Found } from './check.ts'

const batch = 100

type Look = (project: ProjectRow) => Promise<readonly Found[]>

/** Looks at every active project in turn. One that cannot be looked at is told, and the others are. */
export async function eachProject(ctx: CheckContext, scope: CheckScope, look: Look): Promise<Found[]> {
  const found: Found[] = []
  for (let after: string | null = null; ;) {
    const projects: ProjectRow[] = await checkedRows.projects(ctx.db, { ...scope, after, limit: batch })
    for (const project of projects) {
      ctx.signal.throwIfAborted()
      found.push(...(await look(project).catch((error: unknown) => [unlooked(ctx, project, error)])))
    }
    after = projects.at(-1)?.project_id ?? null
    if (projects.length < batch) return found
  }
}

/** The same with its repository; one that is not there, or whose host does not answer, is another check's matter. */
export function eachRepository(
  ctx: CheckContext,
  scope: CheckScope,
  look: (project: ProjectRow, repository: Repository) => Promise<readonly Found[]>,
): Promise<Found[]> {
  return eachProject(ctx, scope, async (project) => {
    const repository = await tryOpenRepository(ctx, project)
    return repository === null ? [] : look(project, repository)
  })
}

function unlooked(ctx: CheckContext, { project_id }: ProjectRow, error: unknown): Found {
  ctx.log.warn({ err: error, project_id }, 'A project could not be checked')
  const words = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  const message = `The project could not be checked: ${words.slice(0, 300)}`
  return { severity: 'error', project_id, subject: `projects/${project_id}`, message }
}
