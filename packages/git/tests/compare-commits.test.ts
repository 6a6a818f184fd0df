import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareCommits } from '../src/history/compare-commits.ts'
import type { Repository } from '../src/index.ts'
import { makeRepositories, testGit, type TestRepositories } from '../src/testing/index.ts'

let world: TestRepositories
let repository: Repository
let git: (...args: string[]) => Promise<string>

const project_id = '6ea5a1bc-0b4b-4be8-8a3d-c8c4a1f5f0a1'

beforeAll(async () => {
  world = await makeRepositories()
  await world.repositories.createManaged(project_id, 'main')
  repository = await world.repositories.open({ kind: 'managed', project_id })
  const { git_dir } = repository
  git = (...args) => testGit(args, { git_dir })
  await testGit(['fast-import', '--quiet', '--date-format=raw'], { git_dir, input: knottedHistory(60) })
})
afterAll(() => world.remove())

/** Merges of anything with anything, roots in between, clocks that jump: always the same ones. */
function knottedHistory(commits: number): string {
  let seed = 20
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below
  let text = ''
  for (let index = 0; index < commits; index += 1) {
    const root = index === 0 || random(20) === 0
    const parents = new Set(
      Array.from({ length: root ? 0 : 1 + (random(3) >> 1) }, () => Math.max(0, index - 1 - random(8))),
    )
    const [first, ...others] = [...parents].filter((parent) => parent < index)
    text += `commit refs/heads/c${index}\nmark :${index + 1}\n`
    text += `committer T <t@svc.invalid> ${1_700_000_000 + index * 10 + (index % 7 === 0 ? 45 : 0)} +0000\ndata 1\nx\n`
    if (first !== undefined) text += `from :${first + 1}\n`
    for (const other of others) text += `merge :${other + 1}\n`
    text += `M 100644 inline f${index}\ndata 1\nx\n\n`
  }
  return text
}

/** A repository as if every list of commits were longer than is taken. */
function briefly(forgetful: Repository): Repository {
  const { runner } = forgetful
  const run: typeof runner.run = (args, options) =>
    runner.run(args, args.includes('--boundary') ? { ...options, max_output: 1 } : options)
  const get = (target: typeof runner, key: string | symbol): unknown =>
    key === 'run' ? run : Reflect.get(target, key)
  return { ...forgetful, runner: new Proxy(runner, { get }) }
}

test('counts and merge base are those of git, by the walk and by the commands', async () => {
  const tips = new Map<number, string>()
  for (const line of (await git('for-each-ref', '--format=%(refname:lstrip=2) %(objectname)')).split('\n')) {
    const [name = '', sha = ''] = line.split(' ')
    tips.set(Number(name.slice(1)), sha)
  }
  // Nothing is remembered and no reader answers.
  const forgetful: Repository = {
    ...repository,
    objects: { of: async () => null },
    links: { get: () => undefined, set: () => undefined },
  }
  for (let index = 0; index < 20; index += 1) {
    const [base_sha = '', head_sha = ''] = [tips.get((index * 17) % 60), tips.get((index * 23 + 7) % 60)]
    if (base_sha === head_sha) continue
    const counts = await git('rev-list', '--left-right', '--count', `${base_sha}...${head_sha}`)
    const [behind, ahead] = counts.split('\t').map(Number)
    const merge_base = (await git('merge-base', base_sha, head_sha).catch(() => '')) || null
    const expected = { ahead, behind, merge_base }
    expect(await compareCommits(repository, { base_sha, head_sha })).toEqual(expected)
    expect(await compareCommits(forgetful, { base_sha, head_sha })).toEqual(expected)
    expect(await compareCommits(briefly(forgetful), { base_sha, head_sha })).toEqual(expected)
  }
})
