import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@svc/db/embedded'
import { type Client, createClient, type Project } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Deployment, startDeployment } from '../support/platform/deployment.ts'
import { beginPostgres } from '../support/platform/platform.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/platform/redis.ts'
import { endSandboxes } from '../support/platform/settle.ts'
import { awaitTurn, bash, commitAndPush, script, write } from '../support/sessions/agent.ts'
import { allEvents, awaitEvent, commandRuns } from '../support/sessions/events.ts'
import { piProject } from '../support/sessions/pi-project.ts'

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error }
/** Longer than the agent works before its push, so that the push and the change request meet the absence. */
const awayMs = 2_500

if (!hasRedis && process.env.CI) throw new Error('CI needs redis-server for these tests')

/** Each service, PostgreSQL and Redis are killed in turn under a plain agent, which tries nothing again by itself. */
describe.skipIf(!hasRedis)('whatever is killed under an agent', () => {
  let folder: string
  let postgres: EmbeddedPostgres
  let redis: RedisServer
  let deployment: Deployment
  let client: Client
  let token: string
  let project: Project

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-chaos-'))
    // The server runs as a user of its own, who has to walk through it.
    await chmod(folder, 0o755)
    await beginPostgres(join(folder, 'postgres'))
    ;[postgres, redis] = await Promise.all([
      startEmbeddedPostgres({
        data_dir: join(folder, 'postgres'),
        log: silent,
        settings: { max_connections: '300' },
      }),
      startRedis(),
    ])
    deployment = await startDeployment({ database: () => postgres.connection_string, redis: redis.url })
    ;({ token } = JSON.parse(await readFile(join(deployment.root, 'bootstrap.json'), 'utf8')))
    client = createClient({ api_url: `${deployment.origin}/v1`, token })
    project = await piProject(client, token, 'Chaos')
  })
  afterAll(async () => {
    if (project) await endSandboxes({ client, project, token }, deployment.origin)
    await deployment?.stop()
    await redis?.close()
    await postgres?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function kill(victim: string): Promise<void> {
    if (victim === 'PostgreSQL') return void process.kill(postgres.pid, 'SIGKILL')
    if (victim === 'Redis') {
      await redis.kill()
      await sleep(awayMs)
      return redis.start()
    }
    const killed = deployment.services.filter(({ app }) => app === victim)
    expect(killed).not.toEqual([])
    await Promise.all(killed.map(({ child }) => child.end('SIGKILL')))
    await sleep(awayMs)
    await Promise.all(killed.map((service) => deployment.start(service)))
  }

  const victims = [
    ...['api', 'gateway', 'executor', 'scheduler', 'merge-worker', 'sandbox-worker'],
    ...['app-worker', 'app-proxy', 'channel-worker', 'PostgreSQL', 'Redis'],
  ]

  test('every service is one that is killed', () => {
    const apps = deployment.services.map(({ app }) => app)
    expect(new Set(apps)).toEqual(new Set(victims.slice(0, -2)))
  })

  test.each(victims)(
    '%s: its turn is completed, its change request is there and is merged',
    async (victim) => {
      const { project_id } = project
      const session = await client.projects.sessions.create(project_id, {
        initial_prompt: script(
          bash(`sleep 1; echo went on without ${victim}`),
          write(`${victim}.md`, `written while ${victim} was away\n`),
          commitAndPush(`Outlive ${victim}`),
          bash(`svc cr open --title 'Outlive ${victim}'`),
        ),
      })
      await awaitEvent(client, session, 'the command runs', commandRuns('went on without'))
      await kill(victim)
      const turn = await awaitTurn(client, session)
      expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed', error: null })
      const { items } = await client.projects.changeRequests.list(project_id, { status: 'open' })
      expect(items.map(({ title }) => title)).toEqual([`Outlive ${victim}`])
      const [{ cr_id } = { cr_id: '' }] = items
      const { change_request } = await client.projects.changeRequests.merge(project_id, cr_id)
      expect(change_request.status).toBe('merged')
      const seqs = (await allEvents(client, session)).map(({ seq }) => seq)
      expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    },
  )
})
