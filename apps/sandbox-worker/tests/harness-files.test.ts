import { chmod, cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { harnessStore } from '@svc/sandbox/providers'
import { smallHarness } from '@svc/sandbox/testing'
import { onTestFinished, test, expect } from 'vitest'
import { runHarnessFiles } from '../src/harness-files.ts'
import { openHarnessInstaller } from '../src/harness-installer.ts'

const wish = { harness: 'small', version: '1.0.0' }

async function openMachines() {
  const small = await smallHarness({ licence: 'MIT' })
  onTestFinished(() => small[Symbol.asyncDispose]())
  const locks = join(small.top, 'locks')
  await mkdir(join(locks, wish.harness), { recursive: true })
  await cp(small.options.lock_folder, join(locks, wish.harness, wish.version), { recursive: true })
  const machine = (name: string) => {
    const sandboxes = join(small.top, name)
    const { env } = small.options
    const installer = openHarnessInstaller({ sandboxes, locks, env })
    const run = async (args: readonly string[], stdin: Buffer = Buffer.alloc(0)): Promise<Buffer> => {
      const stdout = new PassThrough()
      const store = harnessStore(sandboxes)
      const parts = { store, locks, stdin: Readable.from([stdin]), stdout }
      const [printed] = await Promise.all([
        buffer(stdout),
        runHarnessFiles(args, parts).finally(() => stdout.end()),
      ])
      return printed
    }
    return {
      install: () =>
        installer.install(wish, { signal: new AbortController().signal, progress: () => undefined }),
      folder: (digest: string) => installer.folder(wish, digest),
      run,
      json: async (...args: Parameters<typeof run>): Promise<unknown> =>
        JSON.parse((await run(...args)).toString()),
    }
  }
  return { online: machine('online'), offline: machine('offline'), registry: small.registry }
}

test('an install goes to a machine that reaches no registry, and is taken into use without npm', async () => {
  const { online, offline, registry } = await openMachines()
  const { digest, bytes } = await online.install()
  const archive = await online.run(['export', 'small', '1.0.0'])
  const fetched = registry.fetched.length
  const imported = { name: 'small', version: '1.0.0', bytes, digest }
  expect(await offline.json(['import', digest], archive)).toEqual(imported)
  const install = { name: 'small', version: '1.0.0', target: expect.any(String), digest, problem: null }
  expect(await offline.json(['verify'])).toEqual({ installs: [install] })
  expect(await offline.json(['verify', 'other'])).toEqual({ installs: [] })
  expect(await offline.install()).toEqual({ digest, bytes })
  expect(registry.fetched).toHaveLength(fetched)
})

test('damage is named, and no archive is made of it', async () => {
  const { online } = await openMachines()
  const { digest } = await online.install()
  const path = join((await online.folder(digest)) ?? '', 'node_modules/small-agent/package.json')
  await chmod(path, 0o644)
  await writeFile(path, '{}')
  const problem = 'node_modules/small-agent/package.json has changed.'
  expect(await online.json(['verify'])).toMatchObject({ installs: [{ problem }] })
  await expect(online.run(['export', 'small', '1.0.0'])).rejects.toThrow(problem)
})

test.each([
  [['export', 'small'], 'the platform pins no version of it'],
  [['export', 'small', '2.0.0'], 'small 2.0.0 is not installed on this machine'],
  [['import'], 'The archive is refused'],
  [['show'], 'Say verify [name]'],
])('%j is refused with the reason', async (args, reason) => {
  const { online } = await openMachines()
  await expect(online.run(args)).rejects.toThrow(reason)
})
