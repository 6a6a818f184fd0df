import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Project, Session } from '@svc/sdk'
import { awaitTurn } from './support/sessions/agent.ts'
import { builtEntry } from './support/platform/apps.ts'
import { git } from './support/clients/git.ts'
import { makePlace, type Platform, startPlatform } from './support/platform/platform.ts'
import { expectNoProcesses } from './support/platform/processes.ts'
import { run } from './support/platform/run.ts'
import { svc } from './support/clients/svc.ts'

let platform: Platform
let project: Project
let session: Session

beforeAll(async () => {
  platform = await startPlatform()
})
afterAll(() => platform?.stop())

test('a person is logged in by the start, and provisions a project', async () => {
  const who = await svc(platform, ['whoami'])
  expect(who, who.stderr).toMatchObject({ code: 0 })

  project = await platform.client.projects.provision({ name: 'Main job' })
  expect(project).toMatchObject({ default_branch: 'main', status: 'active', project_role: 'manager' })
  const listed = await svc(platform, ['projects', 'ls'])
  expect(listed.stdout).toContain('Main job')
})

test('an agent works on a session branch and opens a change request', async () => {
  session = await platform.client.projects.sessions.create(project.project_id, {
    initial_prompt: 'Add a file NOTES.md that says what this repository is for.',
  })
  expect(session).toMatchObject({ status: 'provisioning', branch_name: session.session_id, base_ref: 'main' })
  const turn = await awaitTurn(platform.client, session)
  expect(turn).toMatchObject({ status: 'completed' })
  expect(turn.events.map(({ seq }) => seq)).toEqual(
    [...turn.events.map(({ seq }) => seq)].sort((a, b) => a - b),
  )

  const { items } = await platform.client.projects.changeRequests.list(project.project_id)
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({
    number: 1,
    status: 'open',
    head_ref: session.session_id,
    origin_session_id: session.session_id,
  })
})

test('the client goes on with the conversation: svc sessions chat --prompt', async () => {
  const chat = await svc(
    platform,
    ['sessions', 'chat', session.session_id, '--prompt', 'Say more in NOTES.md, please'],
    {
      project_id: project.project_id,
    },
  )
  expect(chat, chat.stderr).toMatchObject({ code: 0 })
  expect(chat.stdout).toContain('NOTES.md')
  const listed = await svc(platform, ['sessions', 'ls'], { project_id: project.project_id })
  expect(listed.stdout).toContain('running')
})

test('the person reads the change, merges it, and clones it with plain git', async () => {
  const { project_id } = project
  const shown = await svc(platform, ['cr', 'show', '1'], { project_id })
  expect(shown, shown.stderr).toMatchObject({ code: 0 })
  const diff = await svc(platform, ['cr', 'diff', '1'], { project_id })
  expect(diff.stdout).toContain('+++ b/NOTES.md')
  expect(diff.stdout).not.toContain('\u001b[')

  const merged = await svc(platform, ['cr', 'merge', '#1'], { project_id })
  expect(merged, merged.stderr).toMatchObject({ code: 0 })
  const again = await svc(platform, ['cr', 'merge', '1'], { project_id })
  expect(again.code).toBe(1)
  expect(again.stderr).toMatch(/not open|merged/i)

  const cr = await platform.client.projects.changeRequests.get(project_id, '1')
  expect(cr).toMatchObject({ status: 'merged', merge_commit_sha: cr.head_commit_sha })
  const clone = join(platform.place.root, 'clone')
  await git(['clone', '-q', project.repo_url, clone], { token: platform.token })
  expect((await git(['rev-parse', 'HEAD'], { cwd: clone })).trim()).toBe(cr.merge_commit_sha)
  expect(await git(['show', 'HEAD:NOTES.md'], { cwd: clone })).toContain('Say more in NOTES.md, please')
})

test('the transcript stays after the session was deleted from its sandbox', async () => {
  const { project_id, session_id } = session
  const stopped = await platform.client.projects.sessions.stop(project_id, session_id)
  expect(stopped).toMatchObject({ status: 'stopped', stop_reason: 'user' })
  const { messages } = await platform.client.projects.sessions.transcript(project_id, session_id)
  expect(messages.filter(({ role }) => role === 'user')).toHaveLength(2)
  expect(messages.some(({ tools }) => tools.length > 0)).toBe(true)
})

test('the demo uses the platform that runs', async () => {
  const demo = await run(process.execPath, [builtEntry('standalone', 'demo')], {
    env: { ...platform.place.env },
  })
  expect(demo, demo.stderr).toMatchObject({ code: 0, stderr: '' })
  expect(demo.stdout).toContain(`Using the platform at ${platform.origin}`)
  expect(demo.stdout).toContain('the change is on the default branch')
})

test('the demo starts its own platform for a repository with odd file names, and leaves nothing running', async () => {
  const place = await makePlace()
  try {
    const repo = join(place.root, 'odd repository')
    await mkdir(join(repo, 'päth with spaces'), { recursive: true })
    await git(['init', '-q'], { cwd: repo })
    const names = [
      'päth with spaces/日本語.txt',
      '-dash',
      'quote\'"quote',
      'tab\there',
      'new\nline',
      'emoji 🎉.md',
    ]
    for (const name of names) await writeFile(join(repo, name), `in ${name}\n`)
    await writeFile(join(repo, 'binary.dat'), Buffer.from([0, 1, 2, 255, 0]))
    await git(['add', '-A'], { cwd: repo })
    await git(['commit', '-q', '-m', 'Odd names: "quotes", ünïcode'], { cwd: repo })

    const demo = await run(process.execPath, [builtEntry('standalone', 'demo'), '--repo', repo], {
      env: { ...place.env },
    })
    expect(demo, demo.stderr).toMatchObject({ code: 0 })
    expect(demo.stdout).toContain('the change is on the default branch')
    await expectNoProcesses(place.markers)
  } finally {
    await place.remove()
  }
})
