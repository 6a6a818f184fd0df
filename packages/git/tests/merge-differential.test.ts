import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planMerge, preview } from '../src/index.ts'
import { commit, type Files, type FileSpec, testGit } from '../src/testing/index.ts'
import { testRunner } from '../src/testing/test-git.ts'
import { lines, storage } from './storage.ts'

/** Generated histories; `SVC_LONG_TESTS=1` tries a thousand. */
const runs = process.env['SVC_LONG_TESTS'] ? 1_000 : 30
const { managed } = await storage()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-merge-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Few names, so that changes meet: folders that are files elsewhere, names that differ by case, odd bytes. */
const names = ['a', 'b', 'A', 'dir/a', 'dir/b', 'dir/sub/c', 'dir', 'other/a', 'ü\n', 'x y']
const name = fc.constantFrom(...names)

type Edit =
  | {
      readonly kind: 'write' | 'executable' | 'symlink' | 'delete' | 'submodule'
      readonly name: string
      readonly seed: number
    }
  | { readonly kind: 'edit'; readonly name: string; readonly line: number; readonly seed: number }
  | { readonly kind: 'rename'; readonly name: string; readonly to: string }
  | { readonly kind: 'rename_folder'; readonly to: string }

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), name, line: fc.nat(19), seed: fc.nat(3) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'write' as const,
        'executable' as const,
        'symlink' as const,
        'delete' as const,
        'submodule' as const,
      ),
      name,
      seed: fc.nat(3),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rename' as const), name, to: name }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rename_folder' as const),
      to: fc.constantFrom('moved', 'other'),
    }),
  },
)

/** A commit on one side, or a merge of the other side into it, which makes criss-cross histories. */
type Step =
  { readonly on: 'base' | 'head'; readonly edits: readonly Edit[] } | { readonly merge_into: 'base' | 'head' }

const side = fc.constantFrom('base' as const, 'head' as const)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ on: side, edits: fc.array(edit, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ merge_into: side }) },
)
const history = fc.record({
  start: fc.uniqueArray(name, { minLength: 2, maxLength: 7 }),
  steps: fc.array(step, { minLength: 2, maxLength: 6 }),
})

type Tree = ReadonlyMap<string, FileSpec>

const content = (seed: number, path: string): string => `${path}\n${lines(20)}${seed}\n`

function apply(tree: Tree, change: Edit): Tree {
  const next = new Map(tree)
  /** A path takes the place of whatever stands in its way. */
  const put = (path: string, file: FileSpec) => {
    for (const other of next.keys()) {
      if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) next.delete(other)
    }
    next.set(path, file)
  }
  const file = 'name' in change ? tree.get(change.name) : undefined
  switch (change.kind) {
    case 'write':
      put(change.name, content(change.seed, change.name))
      break
    case 'executable':
      put(change.name, { executable: typeof file === 'string' ? file : content(change.seed, change.name) })
      break
    case 'symlink':
      put(change.name, { symlink: `target-${change.seed}` })
      break
    case 'submodule':
      put(change.name, { submodule: String(change.seed).repeat(40).replaceAll('0', '9') })
      break
    case 'delete':
      next.delete(change.name)
      break
    case 'edit':
      if (typeof file !== 'string') break
      next.set(
        change.name,
        file
          .split('\n')
          .map((line, index) => (index === change.line ? `edited ${change.seed}` : line))
          .join('\n'),
      )
      break
    case 'rename':
      if (file === undefined || change.to === change.name) break
      next.delete(change.name)
      put(change.to, file)
      break
    case 'rename_folder':
      for (const [path, moved] of tree) {
        if (!path.startsWith('dir/')) continue
        next.delete(path)
        put(path.replace('dir', change.to), moved)
      }
  }
  return next
}

/** The commands that fast-import needs to get from one tree to the other. */
function difference(from: Tree, to: Tree): Files {
  const removed = [...from.keys()].filter((path) => !to.has(path)).map((path) => [path, null] as const)
  const written = [...to].filter(([path, file]) => from.get(path) !== file)
  return Object.fromEntries([...removed, ...written])
}

/** `git merge` in a work tree: its tree, or the paths it leaves unmerged. */
async function plainMerge(git_dir: string, base_sha: string, head_sha: string) {
  const work_tree = await mkdtemp(join(folder, 'work-'))
  const env = { GIT_WORK_TREE: work_tree, GIT_INDEX_FILE: join(work_tree, '.index') }
  const run = (...args: string[]) => testRunner.run(args, { git_dir, env })
  try {
    await run('update-ref', '--no-deref', 'HEAD', base_sha)
    await run('read-tree', '-u', '--reset', base_sha)
    const merged = await run('merge', '--quiet', '--no-ff', '--no-commit', '--no-verify', head_sha)
    const unmerged = (await run('ls-files', '--unmerged', '-z')).stdout
      .toString('utf8')
      .split('\0')
      .filter(Boolean)
    if (merged.exit_code !== 0) {
      const made = new RegExp(`~(HEAD|${head_sha})(_\\d+)?$`)
      const paths = unmerged.map((line) => line.slice(line.indexOf('\t') + 1).replace(made, ''))
      return { conflicts: [...new Set(paths)].sort() }
    }
    return { tree_sha: (await run('write-tree')).stdout.toString('latin1').trim() }
  } finally {
    await run('merge', '--quit')
    await rm(work_tree, { recursive: true, force: true })
  }
}

test(
  `${runs} generated histories merge as plain git merges them`,
  async () => {
    const repository = await managed()
    const { git_dir } = repository
    const seen = { clean: 0, conflict: 0, other: 0, crossed: 0 }
    const property = fc.asyncProperty(history, async ({ start, steps }) => {
      const first = start.reduce<Tree>(
        (tree, path) => apply(tree, { kind: 'write', name: path, seed: 0 }),
        new Map(),
      )
      await commit(repository, 'base', difference(new Map(), first), 'First', { orphan: true })
      await testGit(['update-ref', 'refs/heads/head', 'refs/heads/base'], { git_dir })
      const trees = { base: first, head: first }
      let crossed = false
      for (const [index, each] of steps.entries()) {
        if ('on' in each) {
          const tree = each.edits.reduce(apply, trees[each.on])
          await commit(repository, each.on, difference(trees[each.on], tree), `Step ${index}`)
          trees[each.on] = tree
          continue
        }
        const [into, from] =
          each.merge_into === 'base' ? (['base', 'head'] as const) : (['head', 'base'] as const)
        // The merge keeps its own side's files, which is a resolution as good as any.
        await commit(repository, into, {}, `Merge ${index}`, { merge: [from] })
        crossed = true
      }
      const tip = (branch: string) => testGit(['rev-parse', branch], { git_dir })
      const [base_sha, head_sha] = [await tip('base'), await tip('head')]
      const committed_at = new Date(1_700_000_000_000)
      const plan = await planMerge(repository, { base_sha, head_sha, message: 'M', committed_at })
      const verdict = await preview(repository, { base_ref: 'base', head_ref: 'head' })
      if (crossed) seen.crossed += 1
      const bases = (await testGit(['merge-base', '--all', base_sha, head_sha], { git_dir })).split('\n')
      const counts = await testGit(['rev-list', '--left-right', '--count', `${base_sha}...${head_sha}`], {
        git_dir,
      })
      expect(bases).toContain(verdict.merge_base)
      expect(`${verdict.behind}\t${verdict.ahead}`).toBe(counts)
      if (plan.kind === 'merge_commit') {
        seen.clean += 1
        const theirs = await plainMerge(git_dir, base_sha, head_sha)
        expect(theirs).toEqual({ tree_sha: plan.tree_sha })
        expect(verdict).toMatchObject({ can_merge: true, conflicts: [] })
      } else if (plan.kind === 'conflict') {
        seen.conflict += 1
        const theirs = await plainMerge(git_dir, base_sha, head_sha)
        // A folder that moved under a new file is a conflict that leaves nothing unmerged, only words.
        if (theirs.conflicts?.length === 0) expect(plan.conflicts).not.toEqual([])
        else expect({ conflicts: [...plan.conflicts].sort() }).toEqual(theirs)
        expect(verdict).toMatchObject({ can_merge: false, conflicts: plan.conflicts })
      } else {
        seen.other += 1
        expect(['fast_forward', 'up_to_date']).toContain(plan.kind)
        expect(verdict.can_merge).toBe(plan.kind === 'fast_forward')
      }
    })
    await fc.assert(property, { numRuns: runs })
    console.info(`differential merge: ${JSON.stringify(seen)}`)
    expect(Math.min(seen.clean, seen.conflict, seen.crossed)).toBeGreaterThan(runs / 60)
  },
  runs * 5_000,
)
