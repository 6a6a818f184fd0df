import { generate, type Shape } from './generate.ts'
import { type Comparison, compare, git } from './measure.ts'

export interface Case {
  readonly name: string
  readonly peer: string
  readonly result: Comparison
  /** What is promised, and whether it held. */
  readonly promise: string
  readonly held: boolean
}

export interface Api {
  call<T>(method: string, path: string, body?: object): Promise<T>
}

interface ChangeRequest {
  readonly cr_id: string
}

/** Every case on one repository. */
export async function measureAll(
  api: Api,
  project_id: string,
  git_dir: string,
  shape: Shape,
): Promise<Case[]> {
  const counts = { open: 50, merged: 20, created: 20 }
  const branches = await generate(git_dir, shape, counts)
  const path = `/v1/projects/${project_id}/change-requests`
  const open = (head_ref: string) =>
    api.call<ChangeRequest>('POST', path, { title: head_ref, head_ref, base_ref: 'main' })
  const cases: Case[] = []
  const add = (name: string, peer: string, result: Comparison, promise: string, held: boolean) =>
    void cases.push({ name, peer, result, promise, held })

  const opened: ChangeRequest[] = []
  for (const head of branches.open) opened.push(await open(head))
  const at = (index: number) => `${path}/${opened[index % opened.length]?.cr_id}`
  const head = (index: number) => branches.open[index % branches.open.length] ?? ''
  await api.call('GET', `${at(0)}/merge-preview`)

  const preview = await compare(
    counts.open - 1,
    (index) => api.call('GET', `${at(index + 1)}/merge-preview`),
    (index) => git(git_dir, ['merge-tree', '--write-tree', 'main', head(index + 1)]),
  )
  add(
    'merge-preview',
    'git merge-tree',
    preview,
    'p50 <= 3x, p95 <= 50 ms',
    preview.ratio <= 3 && preview.ours.p95_ms <= 50,
  )

  const list = await compare(
    40,
    () => api.call('GET', `${path}?status=open&limit=50`),
    () => git(git_dir, ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/']),
  )
  add('list of 50 open', 'git for-each-ref', list, 'p95 <= 25 ms', list.ours.p95_ms <= 25)

  const wide = await open(branches.wide)
  const diff = await compare(
    15,
    () => api.call('GET', `${path}/${wide.cr_id}/diff`),
    () => git(git_dir, ['diff', '-M', `main...${branches.wide}`]),
  )
  add('diff of 200 files', 'git diff', diff, 'p50 <= 2x', diff.ratio <= 2)

  const create = await compare(
    counts.created,
    (index) => open(branches.created[index] ?? ''),
    (index) => git(git_dir, ['rev-list', '--left-right', '--count', `main...${branches.created[index]}`]),
  )
  add('create', 'git rev-list --count', create, 'none', true)

  const merging: ChangeRequest[] = []
  for (const name of branches.merged) merging.push(await open(name))
  await git(git_dir, ['update-ref', 'refs/heads/raw', 'main'])
  const merge = await compare(
    counts.merged,
    (index) => api.call('POST', `${path}/${merging[index]?.cr_id}/merge`, {}),
    (index) => rawMerge(git_dir, branches.merged[index] ?? ''),
  )
  add(
    'merge',
    'git merge-tree, commit-tree, update-ref',
    merge,
    'p50 <= 3x, p95 <= 300 ms',
    merge.ratio <= 3 && merge.ours.p95_ms <= 300,
  )
  return cases
}

async function rawMerge(git_dir: string, head: string): Promise<void> {
  const tree = await git(git_dir, ['merge-tree', '--write-tree', 'raw', head])
  const commit = await git(git_dir, ['commit-tree', '-p', 'raw', '-p', head, '-m', 'Merge', tree])
  await git(git_dir, ['update-ref', 'refs/heads/raw', commit])
}
