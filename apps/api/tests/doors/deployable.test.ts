import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { builtEntry } from '../../../standalone/tests/support/platform/apps.ts'

let database: TestDatabase
let folder: string
let main: string

beforeAll(async () => {
  database = await testDatabase()
  folder = await mkdtemp(join(tmpdir(), 'svc-api-build-'))
  const dist = join(folder, 'dist')
  // A folder where nothing is installed: the build carries all that it needs.
  await cp(dirname(builtEntry('api')), dist, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  main = join(dist, 'main.js')
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

async function refusal(words: readonly string[]) {
  const child = spawn(process.execPath, [main, ...words], { env: {}, stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const [code]: unknown[] = await once(child, 'close')
  return { code, text }
}

test('a command that is none starts nothing, and names itself', async () => {
  const { code, text } = await refusal(['migrat'])
  expect(code).toBe(2)
  expect(text).toBe(
    'api: migrat is no command here. It has migrate, doctor, backup, restore, master-key; without one it serves requests\n',
  )
})

test('without settings the build lists what it needs and ends with 1', async () => {
  const { code, text } = await refusal([])
  expect(code).toBe(1)
  for (const name of ['DATABASE_URL', 'SVC_PUBLIC_URL', 'SVC_MASTER_KEY'])
    expect(text).toContain(`- ${name}: `)
  expect(text).not.toContain('    at ')
})

test('the build serves the API and its reference, and ends on SIGTERM', async () => {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.connection_string,
      SVC_PUBLIC_URL: 'http://127.0.0.1',
      SVC_REPOSITORIES_DIR: join(folder, 'repositories'),
      SVC_MIRRORS_DIR: join(folder, 'mirrors'),
      SVC_MASTER_KEY: randomBytes(32).toString('hex'),
      SVC_HOST: '127.0.0.1',
      SVC_PORT: '0',
      SVC_INTERNAL_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const port = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${text}`)
      await once(child.stdout, 'data')
    }
    return pattern.exec(text)?.[1]
  }
  const origin = `http://127.0.0.1:${await port(/"port":(\d+),"msg":"Listening"/)}`
  expect(await (await fetch(`${origin}/v1/health`)).json()).toMatchObject({ status: 'ok', version: '0.1.0' })
  expect((await fetch(`${origin}/v1/docs/swagger-ui-bundle.js`)).status).toBe(200)
  expect((await fetch(`${origin}/v1/projects`)).status).toBe(401)
  expect((await fetch(`${origin}/v1/oauth/keys`)).status).toBe(200)
  const internal = `http://127.0.0.1:${await port(/"internal_port":(\d+)/)}`
  expect((await fetch(`${internal}/readyz`)).status).toBe(200)
  const metrics = await (await fetch(`${internal}/metrics`)).text()
  expect(metrics).toMatch(/svc_http_request_duration_seconds_count\{.*route="\/v1\/projects".*\} 1/)
  await rename(join(folder, 'repositories'), join(folder, 'away'))
  const unready = await fetch(`${internal}/readyz`)
  expect(unready.status).toBe(503)
  expect(await unready.json()).toEqual({ status: 'unready', failed: ['repositories', 'objects'] })
  await rename(join(folder, 'away'), join(folder, 'repositories'))
  const { db } = database
  const { min_reader, level } = await db.selectFrom('schema_state').selectAll().executeTakeFirstOrThrow()
  await db
    .updateTable('schema_state')
    .set({ level: level + 9, min_reader: level + 9 })
    .execute()
  expect(await (await fetch(`${internal}/readyz`)).json()).toEqual({ status: 'unready', failed: ['schema'] })
  await db.updateTable('schema_state').set({ level, min_reader }).execute()
  expect((await fetch(`${internal}/readyz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})
