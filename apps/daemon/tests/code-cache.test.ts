import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDaemonCache, makeRuntimeCache } from '../code-cache/caches.ts'
import { standbyVariable } from '../src/runtimes/pi/server/late-environment.ts'
import { standbyWord } from '../src/runtimes/standby/standby-words.ts'
import { readCodeCache } from '../src/shared/code-cache.ts'
import { builtDaemon, builtRuntime } from './support/bundle.ts'

const programs = [
  {
    name: 'the daemon',
    start: 'svc-agent-start.js',
    build: builtDaemon,
    makeCache: makeDaemonCache,
    env: {},
    // Nothing of a sandbox is told to it.
    says: 'The environment is not that of a sandbox',
  },
  {
    name: 'the server of pi',
    start: 'start.js',
    build: () => builtRuntime('pi'),
    makeCache: (folder: string) => makeRuntimeCache({ [standbyVariable]: '1' }, folder),
    env: { [standbyVariable]: '1' },
    says: standbyWord,
  },
]

describe.each(programs)('the code cache of $name', ({ start, build, makeCache, env, says }) => {
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-code-cache-'))
    cpSync(dirname(await build()), folder, { recursive: true })
    await makeCache(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const caches = () => readdirSync(folder).filter((name) => name.endsWith('.cache'))

  test('is taken by this Node', () => {
    expect(caches()).toContain(`${start}.cache`)
    for (const name of caches()) {
      const file = join(folder, name.replace(/\.cache$/, ''))
      const text = readFileSync(file)
      const cachedData = readCodeCache(file, text) ?? Buffer.alloc(0)
      expect({ name, refused: new Script(text.toString(), { cachedData }).cachedDataRejected }).toEqual({
        name,
        refused: false,
      })
    }
  })

  test('is the same for the same build', async () => {
    const contents = () => caches().map((name) => readFileSync(join(folder, name)))
    const before = contents()
    await makeCache(folder)
    expect(contents().map((content, n) => before[n]?.equals(content))).toEqual(before.map(() => true))
  })

  test.each([
    ['is there', () => undefined],
    ['is not there', (cache: string) => rmSync(cache)],
    ['was cut short', (cache: string) => truncateSync(cache, 5000)],
    ['is another program’s', (cache: string, other: string) => cpSync(other, cache)],
  ])('starts it when it %s', async (_how, change) => {
    const copy = mkdtempSync(join(tmpdir(), 'svc-copy-'))
    try {
      cpSync(folder, copy, { recursive: true })
      writeFileSync(join(copy, 'package.json'), '{ "type": "module" }\n')
      const names = caches()
      names.forEach((name, n) => change(join(copy, name), join(folder, names.at(n - 1) ?? '')))
      const child = spawn(process.execPath, [join(copy, 'main.js')], {
        env: { HOME: copy, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const output = await Promise.all([child.stdout.toArray(), child.stderr.toArray()])
      expect(Buffer.concat(output.flat()).toString()).toContain(says)
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  })
})
