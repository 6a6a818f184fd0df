import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findNpm } from './find-npm.ts'
import { npmEnvironment } from './npm-environment.ts'

let top: string
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'svc-npm-'))
})
afterEach(() => rm(top, { recursive: true }))

describe('the environment of npm', () => {
  const places = { home: '/scratch/home', cache: '/scratch/cache' }
  const own = {
    HOME: places.home,
    npm_config_cache: places.cache,
    npm_config_update_notifier: 'false',
  }

  test('holds the settings of the registry, and nothing else of the platform', async () => {
    const settings = {
      npm_config_registry: 'http://127.0.0.1:1',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      HTTPS_PROXY: 'http://127.0.0.1:2',
      NO_PROXY: 'localhost',
      npm_config_cafile: '/ca.pem',
    }
    const platform = { DATABASE_URL: 'x', SVC_MASTER_KEY: 'x', NODE_OPTIONS: '--x', npm_config_cache: '/y' }
    const env = { PATH: '/bin', HOME: top, ...settings, ...platform }
    expect(await npmEnvironment(env, '/opt/node/bin/node', places)).toEqual({
      PATH: '/opt/node/bin:/bin',
      ...own,
      ...settings,
    })
  })

  test('leads to the operator’s own settings, unless others are named', async () => {
    const file = join(top, '.npmrc')
    await writeFile(file, '')
    const of = (env: Record<string, string>) => npmEnvironment({ HOME: top, ...env }, '/bin/node', places)
    expect(await of({})).toEqual({ PATH: '/bin', ...own, NPM_CONFIG_USERCONFIG: file })
    for (const name of ['npm_config_userconfig', 'NPM_CONFIG_USERCONFIG'])
      expect(await of({ [name]: '/etc/npmrc' })).toEqual({ PATH: '/bin', ...own, [name]: '/etc/npmrc' })
  })
})

describe('npm is found', () => {
  const node = () => join(top, 'bin', 'node')
  const cli = () => join(top, 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js')

  beforeEach(async () => {
    await mkdir(join(top, 'bin'))
    await mkdir(join(top, 'elsewhere'))
  })

  async function writeCli(): Promise<void> {
    await mkdir(join(cli(), '..'), { recursive: true })
    await writeFile(cli(), '')
  }

  test('beside node, and is run by that node', async () => {
    await writeCli()
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(top, 'bin', 'npm'))
    expect(await findNpm(node(), undefined)).toEqual({ file: node(), args: [cli()] })
  })

  test('where node keeps it, without a link', async () => {
    await writeCli()
    expect(await findNpm(node(), undefined)).toEqual({ file: node(), args: [cli()] })
  })

  test('in PATH, as a program of any kind', async () => {
    const program = join(top, 'elsewhere', 'npm')
    await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
    expect(await findNpm(node(), `relative:${join(top, 'elsewhere')}`)).toEqual({ file: program, args: [] })
  })

  test('or its absence is said', async () => {
    await writeFile(join(top, 'elsewhere', 'npm'), '', { mode: 0o644 })
    await expect(findNpm(node(), join(top, 'elsewhere'))).rejects.toThrow('install npm on this machine')
  })
})
