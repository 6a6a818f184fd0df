import { randomUUID } from 'node:crypto'
import { access, chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepositories, listFiles, readFile, resolveBranch, tips } from '../src/index.ts'
import { commit, makeRepositories } from '../src/testing/index.ts'
import { storage } from './storage.ts'

const { repositories, root, cache_root } = await storage()
const seed = {
  default_branch: 'trunk',
  files: { 'README.md': '# Hello\n', '.svc/agentrt/agents/default.md': 'x' },
  message: 'Start',
  committed_at: new Date(1_700_000_000_000),
}

test('a managed repository is made once and seeded once, however often it is asked', async () => {
  const project_id = randomUUID()
  await Promise.all([1, 2, 3].map(() => repositories.createManaged(project_id, 'trunk')))
  const shas = await Promise.all([1, 2, 3].map(() => repositories.seed(project_id, seed)))
  expect(new Set(shas).size).toBe(1)
  await repositories.createManaged(project_id, 'trunk')
  const repository = await repositories.open({ kind: 'managed', project_id })
  expect(await tips(repository)).toEqual(new Map([['trunk', shas[0]]]))
  const later = await commit(repository, 'trunk', { x: 'x' })
  expect(await repositories.seed(project_id, { ...seed, files: { other: 'x' } })).toBe(later)
  const paths = (await listFiles(repository, { ref: 'trunk', recursive: true }))?.map((entry) => entry.path)
  expect(paths).toContain('.svc/agentrt/agents/default.md')
  expect((await readFile(repository, { ref: 'trunk', path: 'README.md' }))?.content.toString()).toBe(
    '# Hello\n',
  )
})

test('a repository that is not there, or was removed, is temporarily unavailable', async () => {
  const project_id = randomUUID()
  const open = () => repositories.open({ kind: 'managed', project_id })
  await expect(open()).rejects.toMatchObject({ code: 'git_mirror_unavailable' })
  await repositories.createManaged(project_id, 'main')
  await open()
  await repositories.removeManaged(project_id)
  await expect(open()).rejects.toMatchObject({ code: 'git_mirror_unavailable' })
  expect((await readdir(root)).filter((name) => name.startsWith('removed'))).toEqual([])
  await repositories.removeManaged(project_id)
})

test.each(['..', '../x', '', 'a/b', '.hidden', '-x'])('%j is no project id', async (project_id) => {
  await expect(repositories.createManaged(project_id, 'main')).rejects.toMatchObject({
    code: 'invalid_request',
  })
  await expect(repositories.open({ kind: 'managed', project_id })).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

test.each(['-x', 'a..b', '', 'a\nb'])('%j is no default branch', async (branch) => {
  await expect(repositories.createManaged(randomUUID(), branch)).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

test('two owners of one disk share the private home and its hook', async () => {
  const options = { root, cache_root, identity: { name: 'svc', email: 'x@svc.invalid' }, allow: {} }
  const others = await Promise.all([createRepositories(options), createRepositories(options)])
  const homes = (await readdir(cache_root)).filter((name) => name.startsWith('home-'))
  expect(homes).toHaveLength(1)
  const hook = await stat(join(cache_root, homes[0] ?? '', 'hooks/update'))
  expect(hook.mode & 0o111).not.toBe(0)
  await Promise.all(others.map((other) => other.close()))
})

test('an aborted request ends at once, a closed storage starts nothing', async () => {
  const made = await makeRepositories()
  const project_id = randomUUID()
  await made.repositories.createManaged(project_id, 'main')
  const controller = new AbortController()
  const target = { kind: 'managed' as const, project_id }
  const repository = await made.repositories.open(target, { signal: controller.signal })
  controller.abort(new Error('deadline'))
  await expect(tips(repository)).rejects.toThrow('deadline')
  await expect(made.repositories.open(target, { signal: controller.signal })).rejects.toThrow('deadline')
  const other = await made.repositories.open(target)
  await made.repositories.close()
  await expect(tips(other)).rejects.toThrow('closed')
  expect(await resolveBranch(other, '..')).toBeNull()
  await made.remove()
  await expect(access(made.root)).rejects.toThrow()
})

test('no other user of the machine enters the folders, also those that an earlier release left open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-storage-'))
  const places = { root: join(folder, 'managed'), cache_root: join(folder, 'cache') }
  await mkdir(places.root)
  await chmod(places.root, 0o755)
  const made = await makeRepositories(places)
  for (const place of Object.values(places)) expect((await stat(place)).mode & 0o777, place).toBe(0o700)
  await made.remove()
  await rm(folder, { recursive: true })
})
