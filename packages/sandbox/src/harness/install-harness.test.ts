import { chmod, cp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { installHarness } from './install-harness.ts'
import { findInstalled, verifyInstalled } from './store/installed.ts'
import { removeTree } from './store/remove-tree.ts'
import { type SmallHarness, smallHarness, type SmallHarnessOptions } from './testing/small-harness.ts'

const ends: SmallHarness[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end[Symbol.asyncDispose]()
})

async function make(options?: SmallHarnessOptions): Promise<SmallHarness> {
  const harness = await smallHarness(options)
  ends.push(harness)
  return harness
}

const scratchOf = (store: string) => readdir(join(store, '.scratch')).catch(() => [])
const modeOf = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8)
const part = (folder: string) => join(folder, 'node_modules', 'small-part', 'index.js')

/** As a write to a disk that ignores the modes. */
async function damage(file: string): Promise<void> {
  await chmod(file, 0o644)
  await writeFile(file, 'module.exports = "another"')
}

test('an install is whole, read-only, and named by its digest', async () => {
  const { options, registry } = await make()
  const installed = await installHarness(options)
  expect(installed.digest).toMatch(/^[0-9a-f]{64}$/)
  expect(installed.folder).toBe(
    join(options.store, 'small', `1.0.0-linux-x64-glibc-node20-${installed.digest.slice(0, 12)}`),
  )
  expect(registry.fetched.toSorted()).toEqual(['small-agent', 'small-part'])
  expect((await readdir(installed.folder)).toSorted()).toEqual([
    '.svc-digest',
    'node_modules',
    'package-lock.json',
    'package.json',
  ])
  expect(await modeOf(installed.folder)).toBe('555')
  expect(await modeOf(dirname(part(installed.folder)))).toBe('555')
  expect(await modeOf(part(installed.folder))).toBe('444')
  expect(await modeOf(join(installed.folder, 'node_modules', '.bin', 'small-agent'))).toBe('555')
  expect(await modeOf(join(installed.folder, '.svc-digest'))).toBe('444')
  expect(await modeOf(dirname(installed.folder))).toBe('755')
  expect(await modeOf(join(dirname(dirname(installed.folder)), '.scratch'))).toBe('700')
  const sealed = (await readFile(join(installed.folder, '.svc-digest'), 'utf8')).split('\n')
  expect(sealed[0]).toBe(`${installed.digest} small 1.0.0 linux-x64-glibc-node20`)
  expect(sealed).toContain('node_modules/.bin/small-agent -> ../small-agent/main.js')
  expect(await verifyInstalled(installed.folder)).toBeNull()
  expect(await findInstalled(options)).toEqual({ folder: installed.folder, digest: installed.digest })
  expect(await scratchOf(options.store)).toEqual([])
})

test('a second install asks no registry, and gives the same', async () => {
  const { options, registry } = await make()
  const first = await installHarness(options)
  expect(await installHarness(options)).toEqual(first)
  expect(registry.fetched).toHaveLength(2)
})

test('an install that was killed after its rename is found, and used when it is whole', async () => {
  const { options, registry } = await make()
  const first = await installHarness(options)
  // The rename is done, and the mode of the top is not.
  await chmod(first.folder, 0o755)
  expect(await installHarness(options)).toEqual(first)
  expect(registry.fetched).toHaveLength(2)
})

test('an install of an earlier lock file of the same version is another', async () => {
  const { options, registry } = await make()
  const first = await installHarness(options)
  const lock = join(options.lock_folder, 'package-lock.json')
  await writeFile(lock, `${await readFile(lock, 'utf8')}\n`)
  const second = await installHarness(options)
  expect(second.folder).not.toBe(first.folder)
  expect(registry.fetched).toHaveLength(4)
  expect(await verifyInstalled(first.folder)).toBeNull()
})

test('a damaged install is made anew', async () => {
  const { options } = await make()
  const first = await installHarness(options)
  await damage(part(first.folder))
  expect(await installHarness(options)).toEqual(first)
  expect(await verifyInstalled(first.folder)).toBeNull()
})

test('of two workers both have the same install, made once', async () => {
  const { options } = await make()
  const [one, other] = await Promise.all([installHarness(options), installHarness(options)])
  expect(other).toEqual(one)
  expect(await readdir(dirname(one.folder))).toEqual([basename(one.folder)])
  expect(await scratchOf(options.store)).toEqual([])
})

test('an install in another store has the same digest', async () => {
  const { options, top } = await make()
  const first = await installHarness(options)
  const second = await installHarness({ ...options, store: join(top, 'other') })
  expect(second.digest).toBe(first.digest)
})

test('a package of another integrity is refused by its name', async () => {
  const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`
  const { options } = await make({ integrity })
  await expect(installHarness(options)).rejects.toMatchObject({
    name: 'InstallError',
    kind: 'integrity',
    package_name: 'small-part@2.0.0',
    output_tail: expect.stringContaining('EINTEGRITY'),
  })
  expect(await scratchOf(options.store)).toEqual([])
  expect(await findInstalled(options)).toBeNull()
})

test('a registry that is away is said', async () => {
  const { options, registry } = await make()
  await registry[Symbol.asyncDispose]()
  ends.splice(0)
  const env = { ...options.env, npm_config_registry: 'http://127.0.0.1:1' }
  const settings = join(options.lock_folder, '..', '.npmrc')
  await writeFile(settings, 'fetch-retries=0\n')
  await expect(installHarness({ ...options, env })).rejects.toMatchObject({ kind: 'registry' })
  await removeTree(dirname(settings))
})

test('an abort ends npm with its group, and leaves nothing', async () => {
  const { options, registry } = await make({ hangs: true })
  const stop = new AbortController()
  const installing = installHarness({ ...options, signal: stop.signal })
  const outcome = expect(installing).rejects.toThrow('not needed any more')
  await expect.poll(() => registry.fetched).toContain('small-part')
  const [scratch = ''] = await scratchOf(options.store)
  expect(await processesIn(scratch)).not.toEqual([])
  stop.abort(new Error('not needed any more'))
  await outcome
  expect(await processesIn(scratch)).toEqual([])
  expect(await scratchOf(options.store)).toEqual([])
  await expect(installHarness({ ...options, signal: stop.signal })).rejects.toThrow('not needed any more')
})

test('progress is reported while npm works', async () => {
  const { options } = await make({ hangs: true })
  const stop = new AbortController()
  const seen: number[] = []
  const onProgress = (bytes: number): void => void seen.push(bytes)
  const installing = installHarness({ ...options, onProgress, signal: stop.signal })
  const outcome = expect(installing).rejects.toThrow()
  await expect.poll(() => seen.length).toBeGreaterThan(0)
  stop.abort()
  await outcome
  expect(seen[0]).toBeGreaterThan(0)
})

test('a copy of an install in the place of another version is not taken for it', async () => {
  const { options } = await make()
  const { folder } = await installHarness(options)
  await cp(folder, folder.replace(/[0-9a-f]{12}$/, '0'.repeat(12)), {
    recursive: true,
    verbatimSymlinks: true,
  })
  expect(await findInstalled(options)).toMatchObject({ folder })
})

/** The processes that have a scratch folder in their environment. */
async function processesIn(scratch: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')))
  return pids.filter((_, index) => texts[index]?.includes(scratch))
}
