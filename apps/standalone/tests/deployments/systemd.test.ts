import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../support/platform/run.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasSystemd && process.env.CI) throw new Error('CI needs systemd-analyze for these tests')
if (!hasSystemd) console.warn('Skipped: systemd-analyze is not installed')

const services = [
  ...['api', 'app-proxy', 'app-worker', 'channel-worker', 'executor', 'gateway'],
  ...['merge-worker', 'sandbox-worker', 'scheduler'],
]
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-units-'))
  await cp(join(root, 'infra/systemd'), folder, { recursive: true })
  // Node is elsewhere on the machine of a test, and a unit whose program is not there is refused.
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.service')) continue
    const unit = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), unit.replaceAll('/usr/bin/node', process.execPath))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** With the folder before those of the machine, as an administrator's units are. */
const analyze = (...words: string[]) =>
  run('systemd-analyze', words, { env: { PATH: process.env.PATH ?? '', SYSTEMD_UNIT_PATH: `${folder}:` } })

describe.skipIf(!hasSystemd)('the units of systemd', () => {
  const units = [...services.map((name) => `svc@${name}.service`), 'svc-migrate.service', 'svc.target']

  test.each(units)('%s is what systemd understands', async (unit) => {
    const { code, stderr } = await analyze('verify', '--man=no', '--recursive-errors=no', unit)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('a key that systemd does not know is found', async () => {
    await writeFile(join(folder, 'wrong.service'), '[Service]\nExecStart=/bin/true\nProtectHomes=yes\n')
    const { stderr } = await analyze('verify', '--man=no', '--recursive-errors=no', 'wrong.service')
    expect(stderr).toContain("Unknown key 'ProtectHomes'")
  })

  // Tenths: those that make sandboxes may make namespaces and mounts.
  test.each(units.slice(0, -1))('%s is as closed as it was', async (unit) => {
    const threshold = /sandbox-worker|app-worker/.test(unit) ? '45' : '20'
    const { code, stdout } = await analyze('security', '--offline=true', `--threshold=${threshold}`, unit)
    expect(code, stdout).toBe(0)
  })
})

test('the target starts each service, and one alone changes the schema', async () => {
  const target = await readFile(join(folder, 'svc.target'), 'utf8')
  expect([...target.matchAll(/svc@([\w-]+)\.service/g)].map(([, name]) => name).sort()).toEqual(services)
  expect(await readFile(join(folder, 'svc-migrate.service'), 'utf8')).toContain('main.js migrate\n')
})

test('a service reads the credentials of its unit as variables, which no list of processes shows', async () => {
  const credentials = await mkdtemp(join(folder, 'credentials-'))
  await writeFile(join(credentials, 'svc_SVC_MASTER_KEY'), 'k3y\n')
  await writeFile(join(credentials, 'another'), 'x')
  const script = `const { readFileSync } = require('fs')
    console.log(process.env.SVC_MASTER_KEY, process.env.another, readFileSync('/proc/self/environ', 'utf8').includes('k3y'))`
  const args = ['--import', join(root, 'infra/systemd/load-credentials.mjs'), '--eval', script]
  const env = { PATH: process.env.PATH ?? '', CREDENTIALS_DIRECTORY: credentials }
  expect(await run(process.execPath, args, { env })).toMatchObject({
    code: 0,
    stdout: 'k3y undefined false\n',
  })
})
