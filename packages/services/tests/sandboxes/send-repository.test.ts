import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testGit } from '@svc/git/testing'
import { afterEach, expect, test } from 'vitest'
import { getSession, provisionSandbox } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, type TestSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld({ session_cap: 1000 })
const { daemon } = world
const project = await makeProject(world)

afterEach(() => {
  daemon.repo = { state: 'ready' }
  daemon.repository_status = 200
  daemon.repositories.length = 0
})

/** Its daemon has the repository once `when` says so. */
async function boot(session: TestSession, when: () => boolean): Promise<void> {
  daemon.repo = { state: 'cloning' }
  const up = provisionSandbox(world.worker(), session.key)
  await expect.poll(when).toBe(true)
  daemon.repo = { state: 'ready' }
  await up
  expect(await getSession(project.ctx, session.key)).toMatchObject({ status: 'running' })
}

const isSent = () => daemon.repositories.length > 0

test('a new session’s repository is sent to its sandbox, and to nobody without its key', async () => {
  const session = await newSession(world, project, {})
  await boot(session, isSent)
  const [sent, ...more] = daemon.repositories
  expect(more).toEqual([])
  const { SVC_SANDBOX_TOKEN } = await session.environment()
  expect(sent?.authorization).toBe(`Bearer ${SVC_SANDBOX_TOKEN}`)
  const content = sent?.content ?? Buffer.alloc(0)
  const end = content.indexOf('\n')
  const main = await project.tip('main')
  expect(JSON.parse(content.toString('utf8', 0, end))).toEqual({
    refs: { main, [session.session_id]: main },
    shallow: [],
  })
  const folder = await mkdtemp(join(tmpdir(), 'svc-sent-'))
  const git_dir = join(folder, 'bare')
  await testGit(['init', '--quiet', '--bare', git_dir])
  await testGit(['index-pack', '--stdin', '--strict'], { git_dir, input: content.subarray(end + 1) })
  expect(await testGit(['rev-parse', `${main}^{tree}`], { git_dir })).toBe(
    await project.git('rev-parse', `${main}^{tree}`),
  )
  await rm(folder, { recursive: true })
})

test('of a long history, the recent part', async () => {
  const long = await makeProject(world, project.owner)
  const commits = Array.from({ length: 60 }, (_, n) => {
    const mark = `committer t <t@t.invalid> ${1_700_000_000 + n} +0000\ndata 1\nx\n`
    return `commit refs/heads/main\n${mark}${n === 0 ? 'from refs/heads/main^0\n' : ''}\n`
  })
  const git_dir = world.gitDir(long.project_id)
  await testGit(['fast-import', '--quiet', '--force'], { git_dir, input: commits.join('') })
  await boot(await newSession(world, long, {}, long.ctx), isSent)
  const content = daemon.repositories[0]?.content ?? Buffer.alloc(0)
  const { shallow } = JSON.parse(content.toString('utf8', 0, content.indexOf('\n')))
  expect(shallow).toEqual([await long.git('rev-parse', 'main~49')])
})

test('an empty repository is sent as one', async () => {
  const empty = await makeProject(world, project.owner, false)
  await boot(await newSession(world, empty, {}, empty.ctx), isSent)
  expect(daemon.repositories[0]?.content.toString()).toBe('{"refs":{},"shallow":[]}\n')
})

test.each([422, 404, null])(
  'a daemon that answers %s asks its origin, and the session comes up',
  async (status) => {
    daemon.repository_status = status
    await boot(await newSession(world, project, {}), () => true)
  },
)
