import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Person, personOf } from './person.ts'
import { freePort } from '../../../scripts/free-port.ts'

/** A real homeserver for the tests of one file. */
export interface Synapse {
  readonly url: string
  readonly server_name: string
  /** A user with a name of its own. */
  register(name: string, displayname?: string): Promise<Person>
  /** Lets a user send so many messages a second, and no more. */
  limit(user_id: string, messages_per_second: number): Promise<void>
  close(): Promise<void>
}

const installed = process.env['SVC_TEST_SYNAPSE_DIR'] ?? '/var/cache/svc-test-synapse'
const reason = `no Synapse is in ${installed}: as root, infra/ci/install-synapse.sh puts it there`
const startMs = 60_000
const stopMs = 10_000
const server_name = 'matrix.test'

/** Tests that need a homeserver: skipped with a printed reason where there is none, and failed in CI. */
export function describeWithSynapse(name: string, tests: (server: () => Synapse) => void): void {
  if (existsSync(join(installed, 'ready')) && process.getuid?.() === 0) {
    describe(`${name} with Synapse`, () => {
      let server: Synapse | undefined
      beforeAll(async () => {
        server = await startSynapse()
      })
      afterAll(() => server?.close())
      tests(() => {
        if (server === undefined) throw new Error('Synapse is not started')
        return server
      })
    })
    return
  }
  if (process.env['CI'] === undefined) {
    console.warn(`Skipped: ${name} with Synapse, because ${reason}`)
    describe.skip(`${name} with Synapse`, () => {
      it('needs a homeserver')
    })
    return
  }
  it(`${name} with Synapse`, () => {
    throw new Error(`Synapse must be there in CI: ${reason}`)
  })
}

async function startSynapse(): Promise<Synapse> {
  const root = join(installed, 'root')
  const inside = `/srv/${randomUUID()}`
  const folder = join(root, inside)
  const [port, secret] = [await freePort(), randomBytes(16).toString('hex')]
  mkdirSync(folder, { mode: 0o700 })
  const key = randomBytes(32).toString('base64').replaceAll('=', '')
  writeFileSync(join(folder, 'signing.key'), `ed25519 a_test ${key}\n`)
  writeFileSync(join(folder, 'homeserver.yaml'), JSON.stringify(configOf(inside, port, secret)))

  const log = openSync(join(folder, 'log'), 'w')
  const command = [
    root,
    '/usr/bin/python3',
    '-m',
    'synapse.app.homeserver',
    '-c',
    `${inside}/homeserver.yaml`,
  ]
  const child = spawn('chroot', command, { stdio: ['ignore', log, log] })
  closeSync(log)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const close = async () => {
    process.off('exit', kill)
    await stop(child)
    rmSync(folder, { recursive: true, force: true })
  }

  const url = `http://127.0.0.1:${port}`
  try {
    await ready(url, child)
    const root_user = await register(url, secret, 'root', true)
    return {
      ...{ url, server_name, close },
      register: async (name, displayname) => {
        const person = await register(url, secret, name, false)
        if (displayname !== undefined)
          await person.call('PUT', `v3/profile/${person.user_id}/displayname`, { displayname })
        return person
      },
      limit: async (user_id, messages_per_second) => {
        const path = `/_synapse/admin/v1/users/${user_id}/override_ratelimit`
        await root_user.request('POST', path, { messages_per_second, burst_count: messages_per_second })
      },
    }
  } catch (error) {
    const said = readFileSync(join(folder, 'log'), 'utf8').slice(-2_000)
    await close()
    throw new Error(`Synapse did not start: ${said}`, { cause: error })
  }
}

function configOf(folder: string, port: number, registration_shared_secret: string) {
  const rate = { per_second: 10_000, burst_count: 10_000 }
  return {
    ...{ server_name, registration_shared_secret, report_stats: false, bcrypt_rounds: 4 },
    database: { name: 'sqlite3', args: { database: `${folder}/db` } },
    listeners: [
      { port, type: 'http', bind_addresses: ['127.0.0.1'], resources: [{ names: ['client', 'media'] }] },
    ],
    media_store_path: `${folder}/media`,
    signing_key_path: `${folder}/signing.key`,
    ...{ trusted_key_servers: [], federation_domain_whitelist: [] },
    ...{ rc_message: rate, rc_registration: rate, rc_admin_redaction: rate, rc_room_creation: rate },
    rc_login: { address: rate, account: rate, failed_attempts: rate },
    rc_joins: { local: rate, remote: rate },
    rc_joins_per_room: rate,
    rc_invites: { per_room: rate, per_user: rate, per_issuer: rate },
  }
}

async function register(url: string, secret: string, name: string, admin: boolean): Promise<Person> {
  const address = `${url}/_synapse/admin/v1/register`
  const { nonce } = (await (await fetch(address)).json()) as { nonce: string }
  const [username, password] = [name, randomUUID()]
  const mac = createHmac('sha1', secret)
    .update([nonce, username, password, admin ? 'admin' : 'notadmin'].join('\0'))
    .digest('hex')
  const body = JSON.stringify({ nonce, username, password, admin, mac })
  const answer = await fetch(address, { method: 'POST', body })
  const { user_id, access_token } = (await answer.json()) as { user_id: string; access_token: string }
  return personOf({ url, user_id, access_token })
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + startMs
  for (;;) {
    const answer = await fetch(`${url}/_matrix/client/versions`).catch(() => null)
    if (answer?.ok === true && child.exitCode === null) return
    if (child.exitCode !== null || Date.now() > end) throw new Error('It ended, or took too long')
    await pause(100)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
  await ended
  clearTimeout(timer)
}
