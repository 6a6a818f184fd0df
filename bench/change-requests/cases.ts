import { generate, type Shape } from './generate.ts'
import { git } from './git.ts'
import { compare, type Comparison } from '../measure.ts'

export interface Case {
  readonly name: string
  readonly peer: string
  readonly result: Comparison
  /** Null when nothing is promised. */
  readonly promise: string | null
  readonly held: boolean
}

export interface Api {
  call<T>(method: string, path: string, body?: object): Promise<T>
}

export interface Runs {
  readonly previews: number
  readonly diffs: number
  readonly lists: number
  readonly creates: number
  readonly merges: number
}

interface ChangeRequest {
  readonly cr_id: string
}

/** The repository that the promise of the diff speaks of. */
const promisedDiff = 20_000
const listed = 50

/** The cases of change requests on one repository; the change requests that they open stay open. */
export async function measureAll(
  api: Api,
  { project_id, git_dir }: { project_id: string; git_dir: string },
  shape: Shape,
  runs: Runs,
): Promise<Case[]> {
  const branches = await generate(git_dir, shape, {
    // One more to warm up with.
    open: Math.max(listed, runs.previews + 1),
    merged: runs.merges + 1,
    created: runs.creates,
    wide: runs.diffs + 1,
    fetched: 0,
  })
  const path = `/v1/projects/${project_id}/change-requests`
  const open = (head_ref: string) =>
    api.call<ChangeRequest>('POST', path, { title: head_ref, head_ref, base_ref: 'main' })
  const openAll = async (heads: readonly string[]) => {
    const opened: ChangeRequest[] = []
    for (const head of heads) opened.push(await open(head))
    return opened
  }
  const raw = (...args: string[]) => git(git_dir, args)

  const created = await compare(
    runs.creates,
    (index) => open(branches.created[index] ?? ''),
    (index) => raw('rev-list', '--left-right', '--count', `main...${branches.created[index]}`),
  )

  const opened = await openAll(branches.open)
  await api.call('GET', `${path}/${opened[0]?.cr_id}/merge-preview`)
  const previewed = await compare(
    runs.previews,
    (index) => api.call('GET', `${path}/${opened[index + 1]?.cr_id}/merge-preview`),
    (index) => raw('merge-tree', '--write-tree', 'main', branches.open[index + 1] ?? ''),
  )

  const page = await compare(
    runs.lists,
    () => api.call('GET', `${path}?status=open&limit=${listed}`),
    () => raw('for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/'),
  )

  const wide = await openAll(branches.wide)
  await api.call('GET', `${path}/${wide[runs.diffs]?.cr_id}/diff`)
  const compared = await compare(
    runs.diffs,
    (index) => api.call('GET', `${path}/${wide[index]?.cr_id}/diff`),
    (index) => raw('diff', `main...${branches.wide[index]}`),
  )

  const merging = await openAll(branches.merged)
  await raw('update-ref', 'refs/heads/raw', 'main')
  await api.call('POST', `${path}/${merging[runs.merges]?.cr_id}/merge`, {})
  const merged = await compare(
    runs.merges,
    (index) => api.call('POST', `${path}/${merging[index]?.cr_id}/merge`, {}),
    async (index) => {
      const head = branches.merged[index] ?? ''
      const tree = await raw('merge-tree', '--write-tree', 'raw', head)
      const commit = await raw('commit-tree', '-p', 'raw', '-p', head, '-m', 'Merge', tree)
      await raw('update-ref', 'refs/heads/raw', commit)
    },
  )

  return [
    {
      name: 'merge-preview',
      peer: 'git merge-tree --write-tree',
      result: previewed,
      promise: 'p50 <= 1.5x, p95 <= 50 ms',
      held: previewed.ratio <= 1.5 && previewed.ours.p95_ms <= 50,
    },
    {
      name: 'merge',
      peer: 'git merge-tree, commit-tree, update-ref',
      result: merged,
      promise: 'p50 <= 2.5x, p95 <= 300 ms',
      held: merged.ratio <= 2.5 && merged.ours.p95_ms <= 300,
    },
    {
      name: `diff of ${Math.min(200, shape.files)} files`,
      peer: 'git diff base...head',
      result: compared,
      promise: shape.files === promisedDiff ? 'p50 <= 1.5x' : null,
      held: shape.files !== promisedDiff || compared.ratio <= 1.5,
    },
    {
      name: `list of ${listed} open`,
      peer: 'git for-each-ref',
      result: page,
      promise: 'p95 <= 25 ms',
      held: page.ours.p95_ms <= 25,
    },
    { name: 'create', peer: 'git rev-list --count', result: created, promise: null, held: true },
  ]
}
