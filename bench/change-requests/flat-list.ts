import type { Api, Case } from './cases.ts'
import { generate } from './generate.ts'
import { compare } from '../measure.ts'

export interface Project {
  readonly project_id: string
  readonly git_dir: string
}

const few = 50

/** The first page of a project with many open change requests beside that of one whose list is that one page. */
export async function measureFlatList(
  api: Api,
  projects: { readonly few: Project; readonly many: Project },
  { many, runs }: { readonly many: number; readonly runs: number },
): Promise<Case> {
  const page = async ({ project_id, git_dir }: Project, open: number) => {
    const none = { merged: 0, created: 0, wide: 0, fetched: 0 }
    const branches = await generate(git_dir, { files: 500, commits: 10 }, { ...none, open })
    const path = `/v1/projects/${project_id}/change-requests`
    const waiting = [...branches.open]
    const openNext = async () => {
      for (let head_ref = waiting.pop(); head_ref !== undefined; head_ref = waiting.pop())
        await api.call('POST', path, { title: head_ref, head_ref, base_ref: 'main' })
    }
    await Promise.all([openNext(), openNext(), openNext(), openNext()])
    return () => api.call('GET', `${path}?status=open&limit=${few}`)
  }
  const short = await page(projects.few, few)
  const long = await page(projects.many, many)
  const result = await compare(runs, long, short)
  return {
    name: `list of ${few} of ${many} open`,
    peer: `the same list of ${few} of ${few}`,
    result,
    promise: 'p50 <= 1.3x',
    held: result.ratio <= 1.3,
  }
}
