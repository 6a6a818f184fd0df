import { createDatabase } from '@svc/db'
import { type EmptyDatabase, emptyDatabase } from '@svc/db/testing'
import { createQueue, type JobQueue } from '@svc/queue'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { log, sessionHandlers, unexpected } from '../../../../packages/queue/tests/handlers.ts'
import { type BuiltApi, builtApi } from './built-api.ts'

/** The same for every file of this run: roles are those of the server. */
const password = 'only-for-these-tests'
const names = [
  ...['owner', 'api', 'scheduler', 'merge', 'sandbox', 'gateway', 'executor', 'app', 'proxy', 'channel'],
  'backup',
]
const passwords = Object.fromEntries(
  names.map((name) => [`SVC_ROLE_PASSWORD_${name.toUpperCase()}`, password]),
)

let database: EmptyDatabase
let built: BuiltApi
const queues: JobQueue[] = []
beforeEach(async () => {
  database = await emptyDatabase()
  built = await builtApi(database.connection_string)
})
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.close()
  await built.close()
  await database.close()
})

function urlOf(role: string): string {
  const url = new URL(database.connection_string)
  Object.assign(url, { username: role, password })
  return url.href
}

test('an empty database gets its schema, its owner and its roles, which are told line by line', async () => {
  const made = await built.run(['migrate', '--roles'], passwords)
  expect(made).toMatchObject({ code: 0, err: '' })
  for (const name of names)
    expect(made.out).toContain(
      `made svc_${name}, with the password of SVC_ROLE_PASSWORD_${name.toUpperCase()}\n`,
    )
  const again = await built.run(['migrate', '--roles'])
  expect(again).toMatchObject({ code: 0, err: '' })
  expect(again.out).toContain(
    'made svc_api; its password is what it was (SVC_ROLE_PASSWORD_API is not set)\n',
  )

  const owner = { DATABASE_URL: urlOf('svc_owner') }
  expect(await built.run(['migrate'], owner)).toMatchObject({ code: 0, err: '' })
  expect(await built.run(['migrate', '--check'], owner)).toMatchObject({ code: 0 })
  expect(await built.run(['migrate', '--check'], { DATABASE_URL: urlOf('svc_api') })).toMatchObject({
    code: 0,
  })

  const started = built.start({ DATABASE_URL: urlOf('svc_api') })
  await started.line('Ready')
  expect(await started.end()).toBe(0)
})

test('a password that PostgreSQL may keep in another form is refused before anything is done', async () => {
  const refused = await built.run(['migrate', '--roles'], { SVC_ROLE_PASSWORD_API: 'with a space' })
  expect(refused.code).toBe(1)
  expect(refused.err).toContain(
    'SVC_ROLE_PASSWORD_API: must be 12 to 200 printable ASCII characters without spaces',
  )
})

test('jobs that travel through PostgreSQL go from the role of one service to that of another', async () => {
  expect(await built.run(['migrate', '--roles'], passwords)).toMatchObject({ code: 0 })
  for (const role of ['svc_api', 'svc_sandbox']) queues.push(await createQueue(urlOf(role), { log }))
  const [from, to] = queues
  const session_id = '00000000-0000-4000-8000-000000000001'
  const done = new Promise((resolve) => {
    const handlers = sessionHandlers(async (ids) => resolve(ids))
    to?.work('session', handlers, { concurrency: 1, on_error: unexpected })
  })
  await from?.enqueue('session', 'sandbox.check', { session_id })
  expect(await done).toEqual({ session_id })

  const gateway = createDatabase(urlOf('svc_gateway'), { max: 1 })
  const look = sql`select from bullmq.job limit 0`.execute(gateway)
  await expect(look.finally(() => gateway.destroy())).rejects.toThrow('permission denied for schema bullmq')
})
