import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { join } from 'node:path'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { readBootstrap } from '@svc/identity'
import { newCertificate } from '@svc/sandbox/testing'
import { type Client, createClient, type Project, type Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '../../../../scripts/free-port.ts'
import { type Deployment, type Service, startDeployment } from '../support/platform/deployment.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/platform/redis.ts'
import { endSandboxes } from '../support/platform/settle.ts'
import { bash, promptAgent, startSession, write } from '../support/sessions/agent.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import { sandboxProcesses } from '../support/sessions/sandbox-processes.ts'
import { waitFor } from '../support/wait-for.ts'

if (!hasRedis && process.env.CI) throw new Error('CI needs redis-server for these tests')

describe.skipIf(!hasRedis)('a sandbox-worker with a door for other machines', () => {
  let database: TestDatabase
  let redis: RedisServer
  let deployment: Deployment
  let workers: readonly { readonly service: Service; readonly origin: string; readonly machine: string }[]
  let client: Client
  let token: string
  let cert: string
  const opened: Project[] = []

  beforeAll(async () => {
    ;[database, redis] = await Promise.all([testDatabase(), startRedis()])
    deployment = await startDeployment({ database: () => database.connection_string, redis: redis.url })
    const [ports, made] = await Promise.all([freePorts(2), newCertificate()])
    ;({ cert } = made)
    const files = {
      SVC_SANDBOX_TLS_CERT_FILE: join(deployment.root, 'door.pem'),
      SVC_SANDBOX_TLS_KEY_FILE: join(deployment.root, 'door-key.pem'),
    }
    await writeFile(files.SVC_SANDBOX_TLS_CERT_FILE, cert)
    await writeFile(files.SVC_SANDBOX_TLS_KEY_FILE, made.key, { mode: 0o600 })
    // Two machines as far as anybody can tell: neither worker sees the folder of the other.
    workers = await Promise.all(
      ['one', 'two'].map(async (machine, index) => {
        const service = deployment.service(`sandbox-worker ${index + 1}`)
        await service.child.end('SIGTERM')
        const origin = `https://127.0.0.1:${ports[index]}`
        const SVC_SANDBOXES_DIR = join(deployment.root, 'sandboxes', machine)
        await mkdir(SVC_SANDBOXES_DIR)
        const own = { SVC_MACHINE: machine, SVC_SANDBOXES_DIR, SVC_SANDBOX_LISTEN: origin }
        return { service: { ...service, env: { ...service.env, ...files, ...own } }, origin, machine }
      }),
    )
    await Promise.all(workers.map(({ service }) => deployment.start(service)))
    token = (await readBootstrap(join(deployment.root, 'bootstrap.json')))?.token ?? ''
    client = createClient({ api_url: `${deployment.origin}/v1`, token })
  })
  afterAll(async () => {
    for (const project of opened) await endSandboxes({ client, project, token }, deployment.origin)
    await Promise.all((workers ?? []).map(({ service }) => service.child.end('SIGTERM')))
    await deployment?.stop()
    await redis?.close()
    await database?.close()
  })

  async function open(name: string): Promise<Project> {
    const project = await piProject(client, token, name)
    opened.push(project)
    return project
  }
  /** The machine of a session's sandbox, as its row says. */
  async function placeOf({ session_id }: Session) {
    const row = await database.db
      .selectFrom('session_sandboxes')
      .select(['endpoint', 'external_id', 'machine'])
      .where('session_id', '=', session_id)
      .executeTakeFirstOrThrow()
    const worker = workers.find(({ machine }) => machine === row.machine)
    if (worker === undefined) throw new Error(`No worker is of ${row.machine}`)
    return { ...row, worker }
  }

  test('its agents are reached through it, by their key alone, also after the worker was killed', async () => {
    const { project_id } = await open('Door')
    const { session, turn } = await startSession(client, project_id, [bash('echo through the door')])
    expect(turn.outputs.at(-1)).toContain('through the door')
    const { endpoint, external_id, worker } = await placeOf(session)
    expect(endpoint).toBe(worker.origin)

    const headers = { 'x-svc-sandbox': external_id ?? '' }
    const asked = get(`${worker.origin}/healthz`, { ca: cert, headers })
    expect(await once(asked, 'response')).toMatchObject([{ statusCode: 401 }])

    await worker.service.child.end('SIGKILL')
    await deployment.start(worker.service)
    const next = await promptAgent(client, session, bash('echo and through it again'))
    expect(next.outputs.at(-1)).toContain('and through it again')
  })

  test('of two machines each does the work of its own sandboxes: stopped, started with their files, removed', async () => {
    const { project_id } = await open('Machines')
    const { sessions } = client.projects
    const started: Session[] = []
    const machines = new Set<string | null>()
    while (machines.size < 2) {
      const { session } = await startSession(client, project_id, [
        write('kept.txt', `kept ${started.length}`),
      ])
      started.push(session)
      machines.add((await placeOf(session)).machine)
    }
    for (const [index, session] of started.entries()) {
      const before = await placeOf(session)
      await sessions.stop(project_id, session.session_id)
      await waitFor('it has ended', async () => (await sandboxProcesses(before)).length === 0)
      const turn = await promptAgent(client, session, bash('cat kept.txt'))
      expect(turn.outputs.at(-1)).toContain(`kept ${index}`)
      const { machine, external_id } = await placeOf(session)
      expect({ machine, external_id }).toEqual({ machine: before.machine, external_id: before.external_id })
    }
    for (const { session_id } of started) await sessions.delete(project_id, session_id)
    await waitFor('nothing of them is left', async () => {
      const left = await Promise.all(started.map(async (one) => sandboxProcesses(await placeOf(one))))
      return left.flat().length === 0
    })
  })
})
