import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executorKey, remoteExecutor } from '@svc/connectors'
import { makeRoles } from '@svc/db'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { jobsSchema, migrateQueue } from '@svc/queue'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProcess } from '../../../scripts/bundle-process.ts'
import { freePort } from '../../../scripts/free-port.ts'

/** The same in every file of this run: roles are those of the server. */
const password = 'only-for-these-tests'
const master_key = randomBytes(32).toString('hex')
const main = await bundleProcess(new URL('../src/main.ts', import.meta.url))

let database: TestDatabase
let folder: string
let child: ChildProcess | undefined

beforeAll(async () => {
  database = await testDatabase()
  await migrateQueue(database.connection_string)
  await makeRoles(database.connection_string, {
    passwords: { svc_executor: password },
    jobs_schema: jobsSchema,
  })
  folder = await mkdtemp(join(tmpdir(), 'svc-executor-'))
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

test('runs by itself with its own role, answers the API that has its key, and ends well', async () => {
  const url = new URL(database.connection_string)
  Object.assign(url, { username: 'svc_executor', password })
  const port = await freePort()
  child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: url.href,
      SVC_PUBLIC_URL: 'http://127.0.0.1:1',
      SVC_REPOSITORIES_DIR: join(folder, 'repositories'),
      SVC_MIRRORS_DIR: join(folder, 'mirrors'),
      SVC_MASTER_KEY: master_key,
      SVC_INTERNAL_PORT: '0',
      SVC_EXECUTOR_PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let log = ''
  child.stdout?.on('data', (chunk) => (log += String(chunk)))
  await expect.poll(() => log).toContain('"msg":"Ready"')
  const at = `http://127.0.0.1:${port}`
  await remoteExecutor({ url: at, key: executorKey(master_key) }).ready()
  const other = remoteExecutor({ url: at, key: executorKey(randomBytes(32)) })
  await expect(other.ready()).rejects.toMatchObject({ code: 'executor_unavailable' })
  const { db } = database
  const service = () => db.selectFrom('processes').select('service').execute()
  expect(await service()).toEqual([{ service: 'executor' }])
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await service()).toEqual([])
  expect(log.split('\n').filter((line) => line.includes('"level":"error"'))).toEqual([])
})
