import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readFile, type Repository } from '../src/index.ts'
import { ObjectReaders } from '../src/objects/object-readers.ts'
import { countGit, makeRepository, testGit, type TestRepository } from '../src/testing/index.ts'
import { Runner } from '../src/runner/runner.ts'
import { gitEnvironment } from '../src/runner/environment.ts'
import { createCapabilities } from '../src/serve/capabilities.ts'
import { createCloneCache } from '../src/serve/clone-cache.ts'
import { createVisibleObjects } from '../src/serve/visible.ts'
import { createLinksCache } from '../src/history/links-cache.ts'
import { createPreviewCache } from '../src/merge/preview-cache.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function make(options: { max?: number; idle_ms?: number } = {}) {
  const counted = await countGit()
  ends.push(() => counted.remove())
  const runner = new Runner({
    environment: { ...gitEnvironment('/nonexistent', counted.environment), GIT_CONFIG_GLOBAL: '/dev/null' },
    directory: '/',
    concurrency: 8,
  })
  ends.push(() => runner.close())
  const objects = new ObjectReaders({ runner, ...options })
  const folder = await mkdtemp(join(tmpdir(), 'svc-clones-'))
  ends.push(() => rm(folder, { recursive: true }))
  const clones = await createCloneCache({ folder, max_bytes: 1_000_000 })
  const opened = ({ git_dir }: TestRepository, signal?: AbortSignal): Repository => ({
    git_dir,
    hooks_dir: '/nonexistent',
    identity: { name: 'svc', email: 'noreply@svc.invalid' },
    signing_key_file: null,
    runner,
    objects,
    capabilities: createCapabilities(),
    clones,
    visible: createVisibleObjects(),
    links: createLinksCache(),
    previews: createPreviewCache(),
    branches: { at: 'store', publish: () => Promise.reject(new Error('nothing is published here')) },
    signal,
    doubt: null,
  })
  return { counted, runner, objects, opened }
}

async function repositoryWith(files: Record<string, string>): Promise<TestRepository> {
  const made = await makeRepository({ files })
  ends.push(() => made.remove())
  return made
}

const textOf = async (repository: Repository, path: string, ref = 'main') =>
  (await readFile(repository, { ref, path }))?.content.toString()

test('many questions at once share one process and get their own answers', async () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, `text ${index}\n`]))
  const repository = await repositoryWith(files)
  const { opened, counted } = await make()
  const asked = Object.keys(files).map((path) => textOf(opened(repository), path))
  expect(await Promise.all(asked)).toEqual(Object.values(files))
  expect(await counted.take()).toEqual(['cat-file'])
})

test('names that mean nothing, and one with a line feed', async () => {
  const repository = await repositoryWith({ 'a\nb': 'odd\n', 'folder/file': 'x\n' })
  const { opened } = await make()
  const texts = ['a\nb', 'a\nc', 'gone', 'folder', 'folder/file'].map((path) =>
    textOf(opened(repository), path),
  )
  expect(await Promise.all(texts)).toEqual(['odd\n', undefined, undefined, undefined, 'x\n'])
})

test('what is pushed after the reader started is there at once', async () => {
  const repository = await repositoryWith({ f: 'one\n' })
  const { opened, counted } = await make()
  expect(await textOf(opened(repository), 'f')).toBe('one\n')
  const blob_sha = await testGit(['hash-object', '-w', '--stdin'], {
    git_dir: repository.git_dir,
    input: 'two\n',
  })
  const tree = await testGit(['mktree'], {
    git_dir: repository.git_dir,
    input: `100644 blob ${blob_sha}\tf\n`,
  })
  const commit = await repository.git('commit-tree', '-m', 'Two', tree)
  expect(await textOf(opened(repository), 'f', commit)).toBe('two\n')
  await repository.git('repack', '-a', '-d', '--quiet')
  expect(await textOf(opened(repository), 'f')).toBe('one\n')
  expect((await counted.take()).filter((command) => command === 'cat-file')).toHaveLength(1)
})

test('a folder that takes the place of another gets a reader of its own', async () => {
  const [first, second] = [await repositoryWith({ f: 'first\n' }), await repositoryWith({ f: 'second\n' })]
  const { opened, objects } = await make()
  const old = await first.tip('main')
  expect(await textOf(opened(first), 'f', old)).toBe('first\n')
  await rename(first.git_dir, `${first.git_dir}.old`)
  await rename(second.git_dir, first.git_dir)
  await expect(textOf(opened(first), 'f', old)).rejects.toMatchObject({ code: 'REF_NOT_FOUND' })
  expect(await textOf(opened(first), 'f')).toBe('second\n')
  await rm(first.git_dir, { recursive: true })
  await expect(textOf(opened(first), 'f', old)).rejects.toThrow()
  expect(objects.size).toBe(0)
})

test('a reader that is killed is replaced', async () => {
  const repository = await repositoryWith({ f: 'one\n' })
  const { opened, objects } = await make()
  const reader = await objects.of(repository.git_dir)
  reader?.close()
  expect(await textOf(opened(repository), 'f')).toBe('one\n')
  expect(await objects.of(repository.git_dir)).not.toBe(reader)
})

test('readers end when nobody asks, and when there are too many', async () => {
  const [one, two] = [await repositoryWith({ f: '1\n' }), await repositoryWith({ f: '2\n' })]
  const few = await make({ max: 1 })
  const first = await few.objects.of(one.git_dir)
  expect(await textOf(few.opened(two), 'f')).toBe('2\n')
  expect(first?.ended).toBe(true)
  expect(few.objects.size).toBe(1)

  const brief = await make({ idle_ms: 20 })
  expect(await textOf(brief.opened(one), 'f')).toBe('1\n')
  await expect.poll(() => brief.objects.size).toBe(0)
  expect(await textOf(brief.opened(one), 'f')).toBe('1\n')
})

test('whoever leaves does not disturb the others', async () => {
  const repository = await repositoryWith({ f: 'one\n', g: 'two\n' })
  const { opened } = await make()
  const leaving = new AbortController()
  const left = textOf(opened(repository, leaving.signal), 'f', await repository.tip('main'))
  const stays = textOf(opened(repository), 'g')
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(await stays).toBe('two\n')
})

test('an object that is too large to share is read all the same', async () => {
  const large = 'x'.repeat(3 * 1024 * 1024)
  const repository = await repositoryWith({ large, small: 's\n' })
  const { opened, objects } = await make()
  expect(await textOf(opened(repository), 'large')).toBe(large)
  const reader = await objects.of(repository.git_dir)
  await expect(reader?.ask([{ command: 'contents', name: 'main:large' }])).rejects.toThrow()
  expect(await textOf(opened(repository), 'small')).toBe('s\n')
})

test('the end of the repositories ends the readers', async () => {
  const repository = await repositoryWith({ f: 'one\n' })
  const { objects, runner } = await make()
  const reader = await objects.of(repository.git_dir)
  await runner.close()
  expect(reader?.ended).toBe(true)
  expect(objects.size).toBe(0)
})
