import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { join } from 'node:path'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { newCertificate } from '@svc/sandbox/testing'
import { type Client, createClient } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '../../../../scripts/free-port.ts'
import { addAccount } from '../support/clients/second-account.ts'
import { type Deployment, type Service, startDeployment } from '../support/platform/deployment.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/platform/redis.ts'
import { bash, promptAgent, startSession } from '../support/sessions/agent.ts'
import { piProject } from '../support/sessions/pi-project.ts'

if (!hasRedis && process.env.CI) throw new Error('CI needs redis-server for these tests')

describe.skipIf(!hasRedis)('a sandbox-worker with a door for other machines', () => {
  let database: TestDatabase
  let redis: RedisServer
  let deployment: Deployment
  let worker: Service
  let client: Client
  let token: string
  let origin: string
  let cert: string

  beforeAll(async () => {
    ;[database, redis] = await Promise.all([testDatabase(), startRedis()])
    deployment = await startDeployment({ database: () => database.connection_string, redis: redis.url })
    const workers = deployment.services.filter(({ app }) => app === 'sandbox-worker')
    await Promise.all(workers.map(({ child }) => child.end('SIGTERM')))
    const [[port = 0], made] = await Promise.all([freePorts(1), newCertificate()])
    ;({ cert } = made)
    origin = `https://127.0.0.1:${port}`
    const files = {
      SVC_SANDBOX_TLS_CERT_FILE: join(deployment.root, 'door.pem'),
      SVC_SANDBOX_TLS_KEY_FILE: join(deployment.root, 'door-key.pem'),
    }
    await writeFile(files.SVC_SANDBOX_TLS_CERT_FILE, cert)
    await writeFile(files.SVC_SANDBOX_TLS_KEY_FILE, made.key, { mode: 0o600 })
    worker = deployment.service('sandbox-worker 1')
    worker = { ...worker, env: { ...worker.env, ...files, SVC_SANDBOX_LISTEN: origin } }
    await deployment.start(worker)
    ;({ token } = await addAccount(database.db))
    client = createClient({ api_url: `${deployment.origin}/v1`, token })
  })
  afterAll(async () => {
    await worker?.child.end('SIGTERM')
    await deployment?.stop()
    await redis?.close()
    await database?.close()
  })

  test('its agents are reached through it, by their key alone, also after the worker was killed', async () => {
    const { project_id } = await piProject(client, token, 'Door')
    const { session, turn } = await startSession(client, project_id, [bash('echo through the door')])
    expect(turn.outputs.at(-1)).toContain('through the door')
    const [row] = await database.db
      .selectFrom('session_sandboxes')
      .select(['endpoint', 'external_id'])
      .where('session_id', '=', session.session_id)
      .execute()
    expect(row?.endpoint).toBe(origin)

    const asked = get(`${origin}/healthz`, { ca: cert, headers: { 'x-svc-sandbox': row?.external_id ?? '' } })
    expect(await once(asked, 'response')).toMatchObject([{ statusCode: 401 }])

    await worker.child.end('SIGKILL')
    await deployment.start(worker)
    const next = await promptAgent(client, session, bash('echo and through it again'))
    expect(next.outputs.at(-1)).toContain('and through it again')
    await client.projects.archive(project_id)
  })
})
