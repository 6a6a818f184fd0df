import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createLogger } from '@svc/boot'
import { executorKey, noExecutor, remoteComputers, remoteExecutor } from '@svc/connectors'
import { ServiceError } from '@svc/errors'
import { createComputerHub } from '@svc/upstream'
import { fakeComputer } from '@svc/upstream/testing'
import { afterEach, expect, test } from 'vitest'
import { type Door, type DoorOptions, openDoor } from './door.ts'

const key = executorKey(randomBytes(32))
const log = createLogger({ name: 'test', level: 'silent' })
const ids = { project_id: randomUUID(), slug: 'crm' }
const doors: Door[] = []
afterEach(async () => {
  await Promise.all(doors.splice(0).map((door) => door.close(AbortSignal.abort())))
})

/** The executor as the API has it, over a door that asks `executor`. */
async function behindDoor(
  executor: Partial<DoorOptions['executor']>,
  { at = () => new Date(), keys = [key] }: { at?: () => Date; keys?: readonly Buffer[] } = {},
) {
  const door = await openDoor({
    ...{
      executor: { ...noExecutor, ready: async () => {}, accept: () => {}, ...executor },
      keys,
      log,
      now: at,
    },
    ...{ host: '127.0.0.1', port: 0 },
  })
  doors.push(door)
  const url = `http://127.0.0.1:${door.port}`
  return { remote: remoteExecutor({ url, key }), url, door }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  )

test('what the API asks for arrives, and what became of it comes back', async () => {
  const asked: unknown[] = []
  const { remote } = await behindDoor({
    run: async (call) => void asked.push(call),
    sync: async (connector) => void asked.push(connector),
    origin: async () => 'https://crm.example:443',
    test: async () => ({ reason: 'upstream_error', message: 'The key is wrong' }),
  })
  const call = { call_id: randomUUID(), attempt_id: randomUUID() }
  await remote.run(call)
  await remote.sync(ids)
  expect(asked).toEqual([call, ids])
  expect(await remote.origin(ids)).toBe('https://crm.example:443')
  const connection = { project_id: ids.project_id, connection_id: randomUUID() }
  expect(await remote.test(connection)).toEqual({ reason: 'upstream_error', message: 'The key is wrong' })
})

test('a sign-in is begun and finished, and an access taken back, over the same door', async () => {
  const begun = {
    ...{ issuer: 'https://id.example', resource: 'https://mcp.example/mcp', sealed_verifier: 'sealed' },
    ...{ authorization_url: 'https://id.example/authorize?state=s', state_hash: 'ab'.repeat(32) },
  }
  const finished = {
    ...{ sealed_credential: 'sealed', external_ref: null, field_names: ['access_token'] },
    ...{ expires_at: null, origin: 'https://mcp.example' },
  }
  const asked: unknown[] = []
  const answer =
    <T>(given: T) =>
    async (key: unknown) => {
      asked.push(key)
      return given
    }
  const { remote } = await behindDoor({
    beginSignIn: answer(begun),
    finishSignIn: answer(finished),
    revoke: answer(true),
  })
  const authorization = { ...ids, authorization_id: randomUUID() }
  const connection = { project_id: ids.project_id, connection_id: randomUUID() }
  expect(await remote.beginSignIn({ ...authorization, user_id: null })).toEqual(begun)
  expect(await remote.finishSignIn(authorization)).toEqual(finished)
  expect(await remote.revoke(connection)).toBe(true)
  expect(asked).toEqual([{ ...authorization, user_id: null }, authorization, connection])
})

test('nothing is answered where nothing is', async () => {
  const { remote } = await behindDoor({ origin: async () => null, test: async () => null })
  expect(await remote.origin(ids)).toBeNull()
  expect(await remote.test({ project_id: ids.project_id, connection_id: randomUUID() })).toBeNull()
})

test('a refusal is the same refusal at the API, and a defect tells nothing', async () => {
  const { remote } = await behindDoor({
    sync: async () => {
      throw new ServiceError('not_found', 'There is no such project', { project: 1 })
    },
    origin: async () => {
      throw new Error('the password is hunter2')
    },
  })
  await expect(remote.sync(ids)).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no such project',
    details: { project: 1 },
  })
  expect(await codeOf(remote.origin(ids))).toBe('Error: The executor failed: its log says why')
})

test('one that is gone, has another key, or whose clock is wrong, is unavailable', async () => {
  const { remote, door } = await behindDoor({})
  await remote.ready()
  const foreign = await behindDoor({}, { keys: [executorKey(randomBytes(32))] })
  expect(await codeOf(foreign.remote.ready())).toBe('executor_unavailable')
  const late = await behindDoor({}, { at: () => new Date(Date.now() + 62_000) })
  expect(await codeOf(late.remote.ready())).toBe('executor_unavailable')
  await door.close()
  expect(await codeOf(remote.sync(ids))).toBe('executor_unavailable')
  expect(await codeOf(remoteExecutor({ url: 'http://127.0.0.1:1', key }).ready())).toBe(
    'executor_unavailable',
  )
})

test('the earlier of two keys is taken while they are replaced', async () => {
  const { remote } = await behindDoor({}, { keys: [executorKey(randomBytes(32)), key] })
  expect(await codeOf(remote.ready())).toBe('done')
})

test('it is asked once whether it is there, by however many calls', async () => {
  let asked = 0
  const { remote } = await behindDoor({ ready: async () => void (asked += 1) })
  await Promise.all(Array.from({ length: 20 }, () => remote.ready()))
  await remote.ready()
  expect(asked).toBe(1)
})

test('a request without a signature, or with a long body, does nothing', async () => {
  const asked: unknown[] = []
  const { url } = await behindDoor({ sync: async (connector) => void asked.push(connector) })
  const post = (body: string) => fetch(`${url}/sync`, { method: 'POST', body })
  expect((await post(JSON.stringify(ids))).status).toBe(401)
  expect((await post('x'.repeat(20_000))).status).toBe(413)
  expect(asked).toEqual([])
})

test('the WebSocket of a computer is joined to the executor, where the API signed it', async () => {
  const connection = { project_id: randomUUID(), connection_id: randomUUID() }
  const accepted: unknown[] = []
  const computers = createComputerHub()
  const { url } = await behindDoor({
    accept: (key, upgrade) => {
      accepted.push(key)
      computers.upgrade(key.connection_id, upgrade)
    },
  })
  const api = createServer()
  api.on('upgrade', (request, socket, head) => {
    const signer = request.url === '/other' ? executorKey(randomBytes(32)) : key
    remoteComputers({ url, key: signer })(connection, { request, socket, head }).catch((error: unknown) =>
      socket.end(`HTTP/1.1 503 ${error instanceof ServiceError ? error.code : ''}\r\n\r\n`),
    )
  })
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  const { port } = Object(api.address())
  const computer = fakeComputer([])
  await expect(computer.dial(`ws://127.0.0.1:${port}/other`)).rejects.toThrow('503')
  expect(accepted).toEqual([])
  const { closed } = await computer.dial(`ws://127.0.0.1:${port}/`)
  expect(accepted).toEqual([connection])
  await expect.poll(() => computers.tools(connection.connection_id)).toEqual([])
  await computers.close()
  expect(await closed).toBe(1001)
  api.close()
})
