import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { bundleProcess } from '../../../../scripts/bundle-process.ts'
import { installHarness, type InstallOptions } from '../../src/harness/install-harness.ts'
import { findInstalled, verifyInstalled } from '../../src/harness/store/installed.ts'
import { sweepScratch } from '../../src/harness/store/scratch.ts'
import {
  type SmallHarness,
  smallHarness,
  type SmallHarnessOptions,
} from '../../src/harness/testing/small-harness.ts'

const ends: (() => PromiseLike<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function make(options?: SmallHarnessOptions): Promise<SmallHarness> {
  const harness = await smallHarness(options)
  ends.push(() => harness[Symbol.asyncDispose]())
  return harness
}

/** An install in another process, as far as a stage. */
async function begin(stage: 'npm' | 'digest' | 'rename', options: InstallOptions) {
  const script = await bundleProcess(new URL('install-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, stage, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  ends.push(kill)
  await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  return { kill }
}

const scratchOf = (store: string) => readdir(join(store, '.scratch')).catch(() => [])
/** A time at which work that died is silent. */
const later = () => new Date(Date.now() + 60 * 60_000)

test('killed in npm, it leaves scratch that the next sweep removes, and the next install is whole', async () => {
  const hanging = await make({ hangs: true })
  const { store } = hanging.options
  const { kill } = await begin('npm', hanging.options)
  await expect.poll(() => hanging.registry.fetched).toContain('small-part')
  await kill()
  expect(await scratchOf(store)).toHaveLength(1)
  expect(await findInstalled(hanging.options)).toBeNull()
  // npm outlives its parent, and may write for as long as it lives.
  await expect
    .poll(async () => {
      await sweepScratch(store, later())
      return scratchOf(store)
    })
    .toEqual([])
  const { options } = await make()
  const installed = await installHarness({ ...options, store })
  expect(await verifyInstalled(installed.folder)).toBeNull()
})

test('killed with its digest and before its rename, it leaves nothing that counts as an install', async () => {
  const { options } = await make()
  const { kill } = await begin('digest', options)
  await kill()
  expect(await findInstalled(options)).toBeNull()
  expect(await sweepScratch(options.store, later())).toHaveLength(1)
  const installed = await installHarness(options)
  expect(await verifyInstalled(installed.folder)).toBeNull()
  expect(await scratchOf(options.store)).toEqual([])
})

test('killed after its rename, its folder is found and used without npm', async () => {
  const { options, registry } = await make()
  const { kill } = await begin('rename', options)
  await kill()
  const found = await findInstalled(options)
  expect(await installHarness(options)).toMatchObject(found ?? { folder: 'none' })
  expect(registry.fetched).toHaveLength(2)
})

test('a process that is killed beside one that lives takes nothing from it', async () => {
  const { options } = await make()
  const { kill } = await begin('digest', options)
  const [installed] = await Promise.all([installHarness(options), kill()])
  expect(await verifyInstalled(installed.folder)).toBeNull()
  expect(await readdir(join(options.store, options.name))).toHaveLength(1)
})

test('a lock file whose integrity is off by a byte is refused by the name of its package', async () => {
  const { options } = await make()
  const lock = join(options.lock_folder, 'package-lock.json')
  const text = await readFile(lock, 'utf8')
  const at = text.indexOf('sha512-', text.indexOf('node_modules/small-part')) + 'sha512-'.length
  const other = text[at] === 'A' ? 'B' : 'A'
  await chmod(lock, 0o644)
  await writeFile(lock, `${text.slice(0, at)}${other}${text.slice(at + 1)}`)
  await expect(installHarness(options)).rejects.toMatchObject({
    ...{ kind: 'integrity', package_name: 'small-part@2.0.0' },
  })
  expect(await scratchOf(options.store)).toEqual([])
})
