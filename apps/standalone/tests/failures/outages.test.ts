import { setTimeout as sleep } from 'node:timers/promises'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { type Client, createClient, type Project, type Session, type SessionEvent } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bash, commitAndPush, promptAgent, script, startSession, write } from '../support/sessions/agent.ts'
import { type Deployment, startDeployment } from '../support/platform/deployment.ts'
import { allEvents, awaitEvent, commandRuns } from '../support/sessions/events.ts'
import { git } from '../support/clients/git.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { processesWith } from '../support/platform/processes.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/platform/redis.ts'
import { sandboxProcesses } from '../support/sessions/sandbox-processes.ts'
import { addAccount } from '../support/clients/second-account.ts'
import { waitFor } from '../support/wait-for.ts'

const slowly = (words: string) => bash(`for i in 1 2 3 4 5 6 7 8; do sleep 0.5; done; echo ${words}`)

/** Follows a session in the background until its next turn has ended. */
function follow(client: Client, { project_id, session_id }: Session, after: number): Promise<SessionEvent[]> {
  return (async () => {
    const seen: SessionEvent[] = []
    const signal = AbortSignal.timeout(300_000)
    for await (const event of client.projects.sessions.stream(project_id, session_id, { after, signal })) {
      seen.push(event)
      if (event.type === 'turn' && event.state === 'end') break
    }
    return seen
  })()
}

/** Every stored event once and in order, whatever happened to the connection. */
async function expectWhole(client: Client, session: Session, seen: readonly SessionEvent[]): Promise<void> {
  const followed = seen.filter(({ type }) => type !== 'message.delta').map(({ seq }) => seq)
  const [first = 0] = followed
  const stored = (await allEvents(client, session)).map(({ seq }) => seq)
  expect(followed).toEqual(stored.filter((seq) => seq >= first && seq <= (followed.at(-1) ?? 0)))
}

describe('the embedded database is killed in the middle of a turn', () => {
  let platform: Platform

  beforeAll(async () => {
    platform = await startPlatform({ SVC_LOG_LEVEL: 'fatal' })
  })
  afterAll(() => platform?.stop())

  test('requests say 503 for a moment at most, the turn ends well, and no event is lost', async () => {
    const { client, token } = platform
    const project = await piProject(client, token, 'Database')
    const session = await client.projects.sessions.create(project.project_id, {
      initial_prompt: script(slowly('outlived the database')),
    })
    const following = follow(client, session, 0)
    await awaitEvent(client, session, 'the command runs', commandRuns('outlived'))
    const servers = (await processesWith([`${platform.place.data_dir}/postgres/cluster`])).filter(
      ({ command }) => command.includes('-D'),
    )
    expect(servers).toHaveLength(1)
    for (const { pid } of servers) process.kill(pid, 'SIGKILL')

    const statuses = new Set<number>()
    await waitFor(
      'the API reads and writes again',
      async () => {
        const { status } = await fetch(`${platform.origin}/v1/projects`, {
          headers: { authorization: `Bearer ${platform.token}` },
        })
        statuses.add(status)
        return status === 200
      },
      { every_ms: 20 },
    )
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    const seen = await following
    expect(seen.at(-1)).toMatchObject({ type: 'turn', state: 'end', status: 'completed' })
    await expectWhole(client, session, seen)
    const next = await promptAgent(client, session, bash('echo and on'))
    expect(next.outputs.at(-1)).toContain('and on')
  })
})

if (!hasRedis && process.env.CI) throw new Error('CI needs redis-server for these tests')
if (!hasRedis) console.warn('Skipped: redis-server is not installed')

describe.skipIf(!hasRedis)('a process is killed', () => {
  let database: TestDatabase
  let redis: RedisServer
  let deployment: Deployment
  let client: Client
  let token: string
  let project: Project
  let session: Session
  let stopped = false

  beforeAll(async () => {
    ;[database, redis] = await Promise.all([testDatabase(), startRedis()])
    deployment = await startDeployment({ database: () => database.connection_string, redis: redis.url })
    ;({ token } = await addAccount(database.db))
    client = createClient({ api_url: `${deployment.origin}/v1`, token })
    project = await piProject(client, token, 'Outages')
    ;({ session } = await startSession(client, project.project_id, [bash('echo ready')]))
  })
  afterAll(async () => {
    if (project && !stopped) await client.projects.archive(project.project_id)
    if (!stopped) await deployment?.stop()
    await redis?.close()
    await database?.close()
  })

  async function killAndStart(name: string, away_ms = 0): Promise<void> {
    const service = deployment.service(name)
    await service.child.end('SIGKILL')
    await sleep(away_ms)
    await deployment.start(service)
  }

  test('the API in the middle of a stream: the client goes on where it was', async () => {
    const after = (await allEvents(client, session)).length
    const following = follow(client, session, after)
    const turn = promptAgent(client, session, slowly('outlived the API'))
    await awaitEvent(client, session, 'the command runs', commandRuns('outlived the API'), after)
    await killAndStart('api')
    const seen = await following
    expect(seen.at(-1)).toMatchObject({ status: 'completed' })
    await expectWhole(client, session, seen)
    expect((await turn).outputs.at(-1)).toContain('outlived the API')
  })

  test('the API is away for seconds while an agent pushes and opens a change request: both wait for it', async () => {
    const after = (await allEvents(client, session)).length
    const untilAway =
      'while curl -s -m 1 -o /dev/null "$SVC_API_URL/health"; do sleep 0.1; done; echo it is away'
    const turn = promptAgent(
      client,
      session,
      write('outage.md', 'written while the platform was away\n'),
      bash('git add outage.md && git commit -q -m "Write through the outage"'),
      bash(`${untilAway}; git push -q && echo pushed`),
      bash('svc cr open --title "Through the outage" && echo opened'),
    )
    await awaitEvent(client, session, 'the command runs', commandRuns('it is away'), after)
    const service = deployment.service('api')
    await service.child.end('SIGKILL')
    await sleep(3_000)
    await deployment.start(service)
    const { outputs } = await turn
    expect(outputs.at(-2)).toContain('pushed')
    expect(outputs.at(-1)).toContain('opened')
  })

  test('the gateway and the scheduler while a command of an agent runs: its turn goes on', async () => {
    const gateway = deployment.service('api').env['SVC_LLM_BASE_URL'] ?? ''
    const answers = `curl -s -m 1 -o /dev/null "${gateway}/models"`
    const untilBack = `while ${answers}; do sleep 0.1; done; until ${answers}; do sleep 0.2; done; echo it is back`
    const after = (await allEvents(client, session)).length
    const turn = promptAgent(client, session, bash(untilBack), bash('echo asked the model again'))
    await awaitEvent(client, session, 'the command runs', commandRuns('it is back'), after)
    // Longer than the command waits for an answer: what leaves the sandbox tries again to connect meanwhile.
    await Promise.all([killAndStart('gateway', 3_000), killAndStart('scheduler')])
    const { status, outputs } = await turn
    expect(status, outputs.join('\n')).toBe('completed')
    expect(outputs.at(-1)).toContain('asked the model again')
  })

  test('both sandbox-workers in the middle of a turn and of a start', async () => {
    const working = promptAgent(client, session, slowly('outlived the workers'))
    const fresh = startSession(client, project.project_id, [bash('echo started anyway')])
    await awaitEvent(client, session, 'the command runs', commandRuns('outlived the workers'))
    await Promise.all([killAndStart('sandbox-worker 1'), killAndStart('sandbox-worker 2')])
    expect((await working).outputs.at(-1)).toContain('outlived the workers')
    expect((await fresh).turn.outputs.at(-1)).toContain('started anyway')
  })

  test('both merge-workers, again and again, while three merges run: each is merged, and once', async () => {
    const { changeRequests } = client.projects
    const turn = await promptAgent(
      client,
      session,
      write('merge 1.txt', '1\n'),
      commitAndPush('One'),
      bash('svc cr open --title One'),
    )
    expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
    for (const number of [2, 3]) {
      await git(['push', '-q', project.repo_url, `HEAD:refs/heads/branch-${number}`], {
        cwd: await commitOn(number),
        token,
      })
      await changeRequests.create(project.project_id, {
        title: `Merge ${number}`,
        head_ref: `branch-${number}`,
      })
    }
    const open = (await changeRequests.list(project.project_id, { status: 'open' })).items
    expect(open).toHaveLength(3)
    const settled = Promise.allSettled(
      open.map(({ cr_id }) => changeRequests.merge(project.project_id, cr_id)),
    )
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([killAndStart('merge-worker 1'), killAndStart('merge-worker 2')])
    }
    await settled
    const merged = await waitFor('every one is merged', async () => {
      const { items } = await changeRequests.list(project.project_id, { status: 'all' })
      const left = items.filter(({ status }) => status === 'open')
      for (const { cr_id } of left)
        await changeRequests.merge(project.project_id, cr_id).catch(() => undefined)
      return left.length === 0 ? items : null
    })
    const commits = (await client.projects.commits.list(project.project_id)).items
    const history = commits.map(({ sha }) => sha)
    for (const { merge_commit_sha, head_commit_sha } of merged) {
      expect(history).toContain(merge_commit_sha)
      expect(history).toContain(head_commit_sha)
    }
    const subjects = commits.map(({ message }) => message.split('\n')[0])
    expect(new Set(subjects).size).toBe(subjects.length)
  })

  test('Redis is away for a while: what was accepted is done once it is back, or before', async () => {
    await redis.kill()
    const prompt = promptAgent(client, session, bash('echo outlived Redis'))
    const fresh = startSession(client, project.project_id, [bash('echo started without Redis')])
    await sleep(2_000)
    expect(await client.projects.list()).not.toEqual([])
    await redis.start()
    expect((await prompt).outputs.at(-1)).toContain('outlived Redis')
    expect((await fresh).turn.outputs.at(-1)).toContain('started without Redis')
  })

  test('Redis is gone for good: each service ends with 0 all the same', async () => {
    const now = await client.projects.sessions.get(project.project_id, session.session_id)
    await client.projects.archive(project.project_id)
    await waitFor('its sandbox is gone', async () => (await sandboxProcesses(now)).length === 0)
    await redis.kill()
    const codes = await deployment.stop()
    stopped = true
    expect(new Set(Object.values(codes)), JSON.stringify(codes)).toEqual(new Set([0]))
  })

  async function commitOn(number: number): Promise<string> {
    const clone = `${deployment.root}/clone ${number}`
    await git(['clone', '-q', project.repo_url, clone], { token })
    await git(['commit', '-q', '--allow-empty', '-m', `Commit ${number}`], { cwd: clone })
    return clone
  }
})
