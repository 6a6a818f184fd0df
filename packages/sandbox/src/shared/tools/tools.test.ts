import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assembleTools, type ToolSources } from './tools.ts'

/** Bytes that no text could hold. */
const bytes = Buffer.from([0xff, 0x00, 0xfe])
let top: string
let sources: ToolSources

beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'svc-tools-'))
  const place = async (name: string, text: string | Buffer, mode: number) => {
    await writeFile(join(top, name), text)
    await chmod(join(top, name), mode)
    return join(top, name)
  }
  const placeProgram = async (name: string) => {
    await mkdir(join(top, name))
    await place(`${name}/main.js`, name, 0o600)
    await place(`${name}/chunk.js`, 'chunk', 0o600)
    await place(`${name}/main.js.map`, 'map', 0o600)
    await place(`${name}/chunk.js.cache`, bytes, 0o600)
    return join(top, name)
  }
  await place('svc-agent-AB12.js', 'later', 0o600)
  await place('svc-agent-AB12.js.cache', bytes, 0o600)
  await place('other.js', 'not of the daemon', 0o600)
  sources = {
    node: await place('node', '#!/bin/sh\necho "node $@"\n', 0o700),
    agent_bundle: await place('main.js', 'daemon', 0o600),
    cli_folder: await placeProgram('cli'),
    runtimes: {
      agentrt: { binary: await place('runtime', '#!/bin/sh\necho runtime\n', 0o755) },
      pi: { folder: await placeProgram('pi') },
    },
    ripgrep_binary: await place('ripgrep', '#!/bin/sh\necho found\n', 0o755),
  }
})

afterEach(() => rm(top, { recursive: true }))

const say = (path: string, ...args: string[]) => execFileSync(path, args, { encoding: 'utf8' }).trim()

describe('assembleTools', () => {
  it('puts every tool in bin, readable for everybody', async () => {
    const folder = await assembleTools(join(top, '.tools'), sources)
    const names = (await readdir(join(folder, 'bin'))).toSorted()
    expect(names).toEqual(['agentrt', 'node', 'pi', 'rg', 'svc', 'svc-agent', 'svc-entrypoint'])
    for (const name of names) expect((await stat(join(folder, 'bin', name))).mode & 0o777).toBe(0o755)
    expect((await stat(join(folder, 'lib', 'svc-agent.mjs'))).mode & 0o777).toBe(0o644)
    expect(say(join(folder, 'bin', 'svc-agent'), 'a', 'b c')).toBe(
      `node ${folder}/bin/../lib/svc-agent.mjs a b c`,
    )
    expect(say(join(folder, 'bin', 'svc'), 'cr')).toBe(`node ${folder}/bin/../lib/svc/main.js cr`)
    expect(say(join(folder, 'bin', 'pi'))).toBe(`node ${folder}/bin/../lib/pi/main.js`)
    expect((await readdir(join(folder, 'lib', 'svc'))).toSorted()).toEqual([
      'chunk.js',
      'chunk.js.cache',
      'main.js',
    ])
    expect(say(join(folder, 'bin', 'agentrt'))).toBe('runtime')
    expect(say(join(folder, 'bin', 'rg'))).toBe('found')
    expect((await readdir(join(folder, 'lib'))).toSorted()).toEqual(
      [
        'package.json',
        'pi',
        'svc',
        'svc-agent-AB12.js',
        'svc-agent-AB12.js.cache',
        'svc-agent.mjs',
      ].toSorted(),
    )
    for (const cache of ['svc-agent-AB12.js.cache', 'pi/chunk.js.cache'])
      expect(await readFile(join(folder, 'lib', cache))).toEqual(bytes)
  })

  it('is made once for the same sources, also when asked for at once', async () => {
    const folders = await Promise.all([1, 2, 3].map(() => assembleTools(join(top, '.tools'), sources)))
    expect(new Set(folders).size).toBe(1)
    expect(await readdir(join(top, '.tools'))).toHaveLength(1)
  })

  it.each(['main.js', 'svc-agent-AB12.js', 'svc-agent-AB12.js.cache', 'pi/chunk.js.cache'])(
    'is another folder for another %s',
    async (name) => {
      const before = await assembleTools(join(top, '.tools'), sources)
      await writeFile(join(top, name), 'newer')
      expect(await assembleTools(join(top, '.tools'), sources)).not.toBe(before)
    },
  )

  it('says plainly that a tool is absent', async () => {
    const folder = await assembleTools(join(top, '.tools'), {
      ...sources,
      runtimes: { agentrt: null, pi: null },
      cli_folder: null,
    })
    expect(() => say(join(folder, 'bin', 'agentrt'))).toThrow('agentrt: not installed in this sandbox')
    expect(() => say(join(folder, 'bin', 'pi'))).toThrow('pi: not installed in this sandbox')
    expect(() => say(join(folder, 'bin', 'svc'))).toThrow('svc: not installed in this sandbox')
  })

  const missing = '/nonexistent/program'
  it.each<[string, Partial<ToolSources>]>([
    ['node', { node: missing }],
    ['daemon', { agent_bundle: missing }],
    ['client', { cli_folder: missing }],
    ['runtime of one file', { runtimes: { agentrt: { binary: missing } } }],
    ['runtime of a folder', { runtimes: { pi: { folder: missing } } }],
  ])('refuses a missing %s', async (_what, changes) => {
    await expect(assembleTools(join(top, '.tools'), { ...sources, ...changes })).rejects.toMatchObject({
      kind: 'image',
      retryable: false,
      message: expect.stringContaining(missing),
    })
  })
})
