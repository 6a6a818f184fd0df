import { spawnSync } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { type Client, createClient, type Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { awaitTurn, bash, promptAgent } from '../support/sessions/agent.ts'
import { greeter, openAppPushes, visitApp } from '../support/platform/app-pushes.ts'
import { images } from '../support/platform/compose-images.ts'
import { type ComposeStack, makeComposeStack } from '../support/platform/compose-stack.ts'
import { git } from '../support/clients/git.ts'
import { waitFor } from '../support/wait-for.ts'

/**
 * The stack of infra/compose for real: `npm run test:compose`. The suite itself reads the stack and drives a docker that
 * only answers (apps/cli/tests/self-host/compose.test.ts).
 */
describe('the platform in containers', () => {
  /** That which is started first. */
  let own: ComposeStack
  /** That which runs. */
  let stack: ComposeStack
  let client: Client
  let session: Session
  const svc = (...args: string[]) => stack.svc(...args)
  const inFolder = (path: string) => join(own.folder, path)

  beforeAll(async () => {
    own = await makeComposeStack()
    stack = own
  })
  afterAll(async () => {
    if (stack !== own) {
      await stack.svc('stop')
      stack.down()
    }
    await own.close()
  })

  test('starts, and logs this machine in', async () => {
    const started = await svc('start', '--compose', '--no-build')
    expect(started, started.stderr).toMatchObject({ code: 0, stdout: `Running at ${own.origin}\n` })
    client = createClient({ api_url: `${own.origin}/v1`, token: await own.token() })
    expect((await stat(inFolder('data/compose.env'))).mode & 0o777).toBe(0o600)
  })

  test('an agent in a container beside it opens a change request, which is merged', async () => {
    const project = await client.projects.provision({ name: 'Compose' })
    session = await client.projects.sessions.create(project.project_id, { initial_prompt: 'Add NOTES.md' })
    const turn = await awaitTurn(client, session)
    expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
    const { change_request } = await client.projects.changeRequests.merge(project.project_id, '1')
    expect(change_request.status).toBe('merged')
    expect(
      (await client.projects.sessions.get(project.project_id, session.session_id)).sandbox_provider,
    ).toBe('docker')
  })

  test('the scheduler hears monitors of both kinds, which fire', async () => {
    const project = await client.projects.provision({ name: 'Monitors' })
    const token = project.push_token ?? ''
    const clone = inFolder('monitors')
    await git(['clone', '-q', project.repo_url, clone], { token })
    await writeFile(
      join(clone, 'svc.yaml'),
      `svc_version: 2
default_agent: default
agents: { default: { svc_cli: [project.read] } }
triggers:
  - { slug: stream, type: monitor, mode: stream, run: 'echo heard; exec sleep 600', prompt: '{{ line.raw }}' }
  - { slug: poll, type: monitor, mode: poll, interval: 30s, run: echo seen, prompt: '{{ line.raw }}' }
`,
    )
    await git(['commit', '-q', '-a', '-m', 'Watch'], { cwd: clone })
    await git(['push', '-q', 'origin', 'HEAD:main'], { cwd: clone, token })
    for (const slug of ['stream', 'poll']) {
      await waitFor(`the monitor ${slug} fired`, async () => {
        const { items } = await client.projects.triggers.fires(project.project_id, slug)
        return items.some(({ status }) => status === 'fired')
      })
      const { monitor } = await client.projects.triggers.get(project.project_id, slug)
      expect(monitor).toMatchObject({ error: null })
    }
    await client.projects.archive(project.project_id)
  })

  test('programs of apps run beside it, of a folder and of a Dockerfile without what its context ignores', async () => {
    const project = await client.projects.provision({ name: 'Apps' })
    const { project_id, push_token } = project
    const token = push_token ?? ''
    const { push, live } = await openAppPushes(client, project, { token, cwd: inFolder('apps') })
    await client.projects.secrets.set(project_id, 'WORD', 'hello')
    const lister = greeter.replace('process.env.WORD', "require('fs').readdirSync('/app').join()")
    await push(
      {
        'api/server.js': greeter,
        'image/Dockerfile': `FROM ${images.SVC_IMAGE}\nCOPY . /app/\n`,
        'image/.dockerignore': 'ignored.txt\nDockerfile\n.dockerignore\n',
        'image/ignored.txt': 'x',
        'image/server.js': lister,
      },
      `  api: { type: bundle, path: api, command: [node, server.js], secrets: { WORD: WORD } }
  image: { type: dockerfile, root: image, dockerfile: image/Dockerfile, command: [node, /app/server.js], port: 4000 }\n`,
    )
    const shows = (url: string, page: string) =>
      waitFor(`the proxy shows ${page}`, async () => (await visitApp(url)) === page)
    const { apps } = client.projects
    for (const [name, word] of [
      ['api', 'hello'],
      ['image', 'server.js'],
    ] as const) {
      const url = await live(name)
      await shows(url, `${word} 1`)
      await apps.stop(project_id, name)
      await waitFor('it is stopped', async () => (await apps.get(project_id, name)).instance === null)
      await apps.start(project_id, name)
      await shows(url, `${word} 1`)
    }
    const ofApps = new RegExp(`^${own.env['COMPOSE_PROJECT_NAME']}-apps-[0-9a-f]{12}$`, 'gm')
    const containers = () => own.docker('ps', '--format', '{{.Label "svc.deployment"}}').match(ofApps)?.length
    // Those that were stopped drain for a while.
    await waitFor('each app has one container', async () => containers() === 2)
    // What runs goes on to the stop of the stack, which ends it.
  })

  test('neither PostgreSQL nor Redis is reached from outside, and logs are each service’s own', async () => {
    for (const port of [5432, 6379]) {
      expect(own.docker('ps', '--format', '{{.Ports}}')).not.toContain(`${port}->`)
    }
    const { stdout } = await svc('logs', 'api', '--lines', '1000')
    expect(stdout).toContain('Listening')
    expect(stdout).not.toContain('sandbox-worker')
  })

  test('the image has the command of the schema under a name of its own', () => {
    const words = ['run', '--rm', images.SVC_IMAGE, './svc-migrate', '--status']
    const { status, stderr } = spawnSync('docker', words, {
      env: { ...process.env, ...own.env },
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([1, expect.stringContaining('DATABASE_URL')])
  })

  test('a stop ends everything with its sandboxes, and a start finds all of it', async () => {
    expect(await svc('stop')).toMatchObject({ code: 0, stdout: 'Stopped\n' })
    expect(own.docker('ps', '--quiet')).toBe('')
    const again = await svc('start', '--compose', '--no-build')
    expect(again.code, again.stderr).toBe(0)
    const turn = await promptAgent(client, session, bash('cat NOTES.md'))
    expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
  })

  let taken: string

  test('a backup is taken while it runs, and of a stack that is stopped', async () => {
    const places = inFolder('backups')
    const running = await svc('backup', '--to', places, '--json')
    expect(running.code, running.stderr).toBe(0)
    taken = join(places, JSON.parse(running.stdout).name)
    expect(await svc('stop')).toMatchObject({ code: 0 })
    const stopped = await svc('backup', '--to', places)
    expect(stopped.code, stopped.stderr).toBe(0)
  })

  test('it is restored into a stack of its own, where its agents go on', async () => {
    const { SVC_MASTER_KEY: key = '' } = parseEnv(await readFile(inFolder('data/compose.env'), 'utf8'))
    await writeFile(inFolder('master.key'), key)
    const settings = await readFile(inFolder('data/settings.env'), 'utf8')
    stack = own.beside('new')
    await mkdir(inFolder('new'))
    await writeFile(inFolder('new/settings.env'), settings)
    const from = ['--from', taken, '--master-key-file', inFolder('master.key')]
    const restored = await svc('restore', ...from, '--compose', '--no-build', '--resume')
    expect(restored.code, restored.stderr).toBe(0)
    const started = await svc('start', '--compose', '--no-build')
    expect(started.code, started.stderr).toBe(0)
    expect((await client.projects.get(session.project_id)).name).toBe('Compose')
    const turn = await promptAgent(client, session, bash('cat NOTES.md'))
    expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
  })
})
