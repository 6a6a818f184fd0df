import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project, Session } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bash, promptAgent, startSession, write } from '../support/sessions/agent.ts'
import { allEvents, awaitEvent, commandRuns } from '../support/sessions/events.ts'
import { git, tryGit } from '../support/clients/git.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { request } from '../support/clients/request.ts'
import { killSandbox } from '../support/sessions/sandbox-processes.ts'
import { waitFor } from '../support/wait-for.ts'

let platform: Platform
let project: Project
let session: Session

beforeAll(async () => {
  platform = await startPlatform()
  project = await piProject(platform.client, platform.token, 'Checkpoints')
})
afterAll(() => platform?.stop())

const sessions = () => platform.client.projects.sessions
const current = () => sessions().get(project.project_id, session.session_id)
const hidden = () => git(['for-each-ref', '--format=%(refname)', 'refs/svc'], { cwd: storage() })
const storage = () => join(platform.place.data_dir, 'repositories', `${project.project_id}.git`)
const ask = (operation: string, more: Parameters<typeof request>[2] = {}) =>
  request(platform.origin, operation, { token: platform.token, ...more })
const path = () => `/v1/projects/${project.project_id}/sessions/${session.session_id}`

test('the work in progress is saved after a turn, where no client sees or reaches it', async () => {
  const started = await startSession(platform.client, project.project_id, [
    write('never committed.txt', 'from the first sandbox\n'),
    bash(
      `echo kept-token "$SVC_CLI_TOKEN" > .git/token-of-old; git add 'never committed.txt'; echo more > untracked.txt`,
    ),
  ])
  session = started.session
  await awaitEvent(
    platform.client,
    session,
    'it is saved',
    ({ type, state }) => type === 'checkpoint' && state === 'saved',
  )
  const ref = (await hidden()).trim()
  expect(ref).toBe(`refs/svc/checkpoints/${session.session_id}/1`)

  const url = project.git_origin_url ?? ''
  const owner = { token: platform.token }
  expect(await git(['ls-remote', url], owner)).not.toContain('refs/svc')
  expect((await tryGit(['fetch', url, ref], { ...owner, cwd: storage() })).code).not.toBe(0)
  const pushed = await tryGit(
    ['push', url, `refs/heads/main:refs/svc/checkpoints/${session.session_id}/99`],
    {
      ...owner,
      cwd: storage(),
    },
  )
  expect(pushed.code).not.toBe(0)
  expect((await hidden()).trim()).toBe(ref)
})

test('restart: new tokens at once, the same files and index, nothing of the old sandbox in the answer', async () => {
  const before = await current()
  const old = await promptAgent(platform.client, session, bash('echo "token $SVC_CLI_TOKEN"'))
  const token = /token (svc_pat_\S+)/.exec(old.outputs.at(-1) ?? '')?.[1]
  expect(token).toBeTruthy()
  const answer = await sessions().restart(project.project_id, session.session_id)
  expect(answer).toMatchObject({ status: 'provisioning', runtime_status: 'provisioning', external_id: null })
  expect(before.external_id).not.toBeNull()
  const refused = await request(platform.origin, `GET ${path()}`, { token: token ?? '' })
  expect(refused).toMatchObject({ status: 401, body: { code: 'session_token_revoked' } })
  const turn = await promptAgent(
    platform.client,
    session,
    bash(`ls .git/token-of-old; git status --porcelain; cat 'never committed.txt'`),
  )
  expect(turn.outputs.at(-1)).toContain('No such file')
  for (const line of ['A  "never committed.txt"', '?? untracked.txt', 'from the first sandbox'])
    expect(turn.outputs.at(-1)).toContain(line)
  const events = await allEvents(platform.client, session)
  expect(events.some(({ type, state }) => type === 'checkpoint' && state === 'restored')).toBe(true)
})

test('a stopped session is not woken by looking: its proxy says what to do, its transcript needs no sandbox', async () => {
  const { external_id } = await current()
  await sessions().stop(project.project_id, session.session_id)
  for (const port of ['8000/svc/health', '3000/']) {
    expect(await ask(`GET /v1/p/${external_id}/${port}`)).toMatchObject({
      status: 409,
      body: { code: 'SESSION_NOT_RUNNING', message: expect.stringContaining('start it') },
    })
  }
  const text = await ask(`GET ${path()}/transcript`, { headers: { accept: 'text/markdown' } })
  expect(text.headers.get('content-type')).toContain('text/markdown')
  expect(text.text).toContain('never committed.txt')
  expect(await current()).toMatchObject({ status: 'stopped', stop_reason: 'user' })
})

test('a prompt is withdrawn from the inbox of a session that sleeps on', async () => {
  await sessions().start(project.project_id, session.session_id)
  const long = await sessions().prompt(project.project_id, session.session_id, { text: 'Say hello' })
  const listed = await ask(`GET ${path()}/prompts?limit=200`)
  expect(JSON.stringify(listed.body)).toContain(long.prompt_id)
  const gone = await ask(`DELETE ${path()}/prompts/${long.prompt_id}`)
  // It may have begun by now: then it says so, and nothing was withdrawn.
  expect([200, 409]).toContain(gone.status)
  if (gone.status === 409) expect(gone.body).toMatchObject({ code: 'PROMPT_NOT_CANCELLABLE' })
  else expect(gone.body).toMatchObject({ state: 'cancelled' })
})

test('a sandbox that dies while a prompt waits behind its turn is started again for that prompt', async () => {
  const { project_id, session_id } = session
  const after = (await allEvents(platform.client, session)).at(-1)?.seq ?? 0
  const steps = (command: string) => `\`\`\`svc-script\n${JSON.stringify([bash(command)])}\n\`\`\``
  await sessions().prompt(project_id, session_id, { text: steps('sleep 600') })
  const { prompt_id } = await sessions().prompt(project_id, session_id, {
    text: steps('echo after the crash'),
  })
  await awaitEvent(platform.client, session, 'the command runs', commandRuns('sleep 600'), after)
  expect(await killSandbox(await current())).toBeGreaterThan(0)
  const end = await awaitEvent(
    platform.client,
    session,
    'the waiting prompt has its turn',
    ({ type, state, prompt_id: of }) => type === 'turn' && state === 'end' && of === prompt_id,
    after,
  )
  expect(end).toMatchObject({ status: 'completed' })
})

test('deleted: the checkpoints go with the sandbox, the branch stays', async () => {
  await sessions().delete(project.project_id, session.session_id)
  await waitFor('no checkpoint is left', async () => (await hidden()) === '')
  expect(await git(['for-each-ref', `refs/heads/${session.session_id}`], { cwd: storage() })).not.toBe('')
  expect(await readdir(join(platform.place.data_dir, 'repositories'))).toContain(`${project.project_id}.git`)
})
