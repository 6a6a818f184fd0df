import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildCli } from '../support/built-cli.ts'

/** The built command in a checkout of its own, beside an engine's socket and a docker that prints its arguments. */
const cli = await buildCli()
const data = join(cli.folder, '.data')
const backups = join(cli.folder, 'backups')
const backup = join(backups, 'svc-backup-20261124T120000Z-1b4e28ba')
const key = randomBytes(32).toString('hex')
let engine: Server
let code = 0

beforeAll(async () => {
  await mkdir(join(cli.folder, 'tools'))
  await writeFile(join(cli.folder, 'package.json'), '{ "name": "svc-platform", "type": "module" }')
  engine = createServer().listen(join(cli.folder, 'docker.sock'))
})
beforeEach(async () => {
  for (const path of [data, backups]) await rm(path, { recursive: true, force: true })
  await mkdir(data)
  await docker({ running: [] })
})
afterAll(() => void engine.close())

async function docker({ running, ends = 0 }: { running: readonly string[]; ends?: number }): Promise<void> {
  code = ends
  await rm(join(cli.folder, 'calls.txt'), { force: true })
  const lines = running.map((name) => `echo ${name}`).join('; ') || 'true'
  await writeFile(
    join(cli.folder, 'tools/docker'),
    `#!/bin/sh
echo "$*" >> ${cli.folder}/calls.txt
case "$*" in *' ps '*) ${lines};; *' run '*) echo done of it; exit ${code};; esac
`,
    { mode: 0o755 },
  )
}

const run = (...args: string[]) =>
  cli.run(['self-host', ...args], {
    env: {
      CI: '',
      PATH: `${join(cli.folder, 'tools')}:/usr/bin:/bin`,
      DOCKER_HOST: `unix://${join(cli.folder, 'docker.sock')}`,
    },
  })
const calls = async () =>
  (await readFile(join(cli.folder, 'calls.txt'), 'utf8'))
    .split('\n')
    .map((line) => line.replace(/^compose .*compose\.yaml /, ''))
    .filter((line) => line !== '' && !line.includes('version') && !line.startsWith('ps '))
const stack = async () => parseEnv(await readFile(join(data, 'compose.env'), 'utf8'))
const database = [
  'up --detach --no-build postgres',
  'exec -T postgres pg_isready --host 127.70.0.11 --username svc',
]
const worked = (folder: string, words: string) =>
  `run --rm --no-deps -T --volume ${folder}:${folder} operator node apps/api/dist/main.js ${words}`

async function haveStack(): Promise<void> {
  const { uid = 0, gid = 0 } = { uid: process.getuid?.(), gid: process.getgid?.() }
  const settings = { SVC_UID: uid || 1000, SVC_GID: gid || 1000, SVC_MASTER_KEY: 'own' }
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`)
  await writeFile(join(data, 'compose.env'), lines.join(''))
}

test('a backup is taken in a container beside those that run, into a folder that it may write', async () => {
  await haveStack()
  await docker({ running: ['net', 'postgres', 'api'] })
  const taken = await run('backup', '--to', backups, '--json')
  expect(taken, taken.stderr).toMatchObject({ code: 0, stdout: 'done of it\n' })
  expect(await calls()).toEqual([worked(backups, `backup --to ${backups} --json`)])
})

test('of a stack that is stopped the database alone runs meanwhile', async () => {
  await haveStack()
  expect(await run('backup', '--to', 's3://bucket/prefix')).toMatchObject({ code: 0 })
  const words = 'run --rm --no-deps -T operator node apps/api/dist/main.js backup --to s3://bucket/prefix'
  expect(await calls()).toEqual([...database, words, 'stop'])
})

test('a restore goes into a new stack, with the key of the backup', async () => {
  await mkdir(backup, { recursive: true })
  await writeFile(join(backup, 'master.key'), key)
  const restored = await run('restore', '--from', backup, '--compose')
  expect(restored, restored.stderr).toMatchObject({ code: 0 })
  expect(restored.stderr).toContain('svc self-host start --compose opens it')
  expect(await calls()).toEqual([
    ...['build net sandbox-image', ...database],
    ...[worked(backups, `restore --from ${backup}`), 'stop'],
  ])
  expect(await stack()).toMatchObject({ SVC_MASTER_KEY: key })
})

test('one that fails leaves the keys that were there, and one without a key does not begin', async () => {
  await mkdir(backup, { recursive: true })
  const none = await run('restore', '--from', backup, '--compose')
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('--master-key-file')])
  await haveStack()
  await writeFile(join(cli.folder, 'key'), `${key}\n`)
  await docker({ running: [], ends: 1 })
  const args = ['--from', backup, '--no-build', '--master-key-file', join(cli.folder, 'key')]
  expect((await run('restore', ...args)).code).toBe(1)
  expect(await stack()).toMatchObject({ SVC_MASTER_KEY: 'own' })
})

test('containers that run are not restored into', async () => {
  await haveStack()
  await mkdir(backup, { recursive: true })
  await docker({ running: ['postgres', 'api'] })
  const refused = await run('restore', '--from', backup, '--no-build')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('svc self-host stop')])
  expect(await calls()).toEqual([])
})
