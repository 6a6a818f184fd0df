import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Project, Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import {
  bash,
  commitAndPush,
  isSent,
  loadSkill,
  promptAgent,
  startSession,
  write,
} from '../support/sessions/agent.ts'
import { allEvents } from '../support/sessions/events.ts'
import { git, tryGit } from '../support/clients/git.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { readableBy } from '../support/readable-by.ts'
import { svc } from '../support/clients/svc.ts'

let platform: Platform
let project: Project

/** A sandbox gets the same, and may push the same, on both runtimes. */
const onPi = (name: string) => piProject(platform.client, platform.token, name, '{ secrets: all }')

beforeAll(async () => {
  platform = await startPlatform({ SVC_LOG_LEVEL: 'debug' })
  project = await onPi('Sandbox')
})
afterAll(() => platform?.stop())

describe('secrets', () => {
  const value = 'correct horse "battery" $staple\nsecond line'

  test('are set by the client, listed by name, and reach the agent word for word', async () => {
    const { project_id } = project
    const set = await svc(platform, ['secrets', 'set', `MY_SECRET=${value}`], { project_id })
    expect(set, set.stderr).toMatchObject({ code: 0 })
    expect(set.stdout + set.stderr).not.toContain('battery')
    const listed = await svc(platform, ['secrets', 'ls'], { project_id })
    expect(listed.stdout).toContain('MY_SECRET')
    expect(listed.stdout).not.toContain('battery')
    const reserved = await svc(platform, ['secrets', 'set', 'SVC_TOKEN=x'], { project_id })
    expect(reserved).toMatchObject({ code: 1 })

    const { turn } = await startSession(platform.client, project_id, [
      bash('printf "%s" "$MY_SECRET" | sha256sum; echo "$SVC_PROJECT_SECRET_NAMES"'),
    ])
    expect(turn.outputs.at(-1)).toContain(createHash('sha256').update(value).digest('hex'))
    expect(turn.outputs.at(-1)).toContain('MY_SECRET')
  })

  test('a session may be given fewer, or none', async () => {
    const { turn } = await startSession(
      platform.client,
      project.project_id,
      [bash('echo "[${MY_SECRET-unset}] [$SVC_PROJECT_SECRET_NAMES]"')],
      { secrets: [] },
    )
    expect(turn.outputs.at(-1)).toContain('[unset] []')
  })

  test('reach a session that is there: one that runs when it is idle, one that sleeps at its start', async () => {
    const { project_id } = project
    const { secrets, sessions } = platform.client.projects
    await secrets.set(project_id, 'ROTATED', 'first')
    await secrets.set(project_id, 'DELETED', 'deleted-value')
    const show = bash('echo "[$ROTATED] [${DELETED-unset}] [$SVC_PROJECT_SECRET_NAMES]"')
    const { session, turn } = await startSession(platform.client, project_id, [show])
    expect(turn.outputs.at(-1)).toContain('[first] [deleted-value]')

    await secrets.set(project_id, 'ROTATED', 'second')
    await secrets.delete(project_id, 'DELETED')
    await vi.waitFor(
      async () =>
        expect((await promptAgent(platform.client, session, show)).outputs.at(-1)).toContain(
          '[second] [unset]',
        ),
      { timeout: 60_000 },
    )

    await sessions.stop(project_id, session.session_id)
    await secrets.set(project_id, 'ROTATED', 'third')
    const woken = await promptAgent(
      platform.client,
      session,
      show,
      // Of every process that this user may look into: the daemon and the runtime among them.
      bash('cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | grep -c deleted-value; true'),
    )
    expect(woken.outputs[0]).toContain('[third] [unset] [MY_SECRET,ROTATED]')
    expect(woken.outputs[1]).toMatch(/^0$/m)
  })
})

describe('what the agent finds', () => {
  let author: Session
  let reader: Session

  test('the documented variables, the repository on its branch, and no key of the daemon', async () => {
    const started = await startSession(platform.client, project.project_id, [
      bash(
        'for name in PROJECT_ID SESSION_ID BRANCH_NAME REPO_URL DEFAULT_BRANCH BASE_REF SERVICE_PORT API_URL AGENT_NAME CLI_TOKEN EXECUTOR_TOKEN; do eval "echo $name=\\$SVC_$name"; done',
      ),
      bash('git rev-parse --abbrev-ref HEAD; git status --porcelain; pwd; git config --list --show-origin'),
      bash(isSent),
    ])
    const { session, turn } = started
    reader = session
    const [variables = '', repository = '', sent = ''] = turn.outputs
    expect(sent).toContain('sent 1')
    for (const line of [
      `PROJECT_ID=${project.project_id}`,
      `SESSION_ID=${session.session_id}`,
      `BRANCH_NAME=${session.session_id}`,
      'DEFAULT_BRANCH=main',
      'BASE_REF=main',
      'SERVICE_PORT=',
      `API_URL=${platform.origin}/v1`,
      `AGENT_NAME=${session.agent_name}`,
    ]) {
      expect(variables).toContain(line)
    }
    const token = /CLI_TOKEN=(svc_pat_\w+)/.exec(variables)?.[1] ?? ''
    expect(variables).toContain(`EXECUTOR_TOKEN=${token}`)
    expect(repository).toContain(session.session_id)
    expect(repository).not.toContain(token)
    expect(repository).not.toMatch(/extraheader/i)
  })

  test('neither the platform’s own files nor another session’s', async () => {
    const first = await startSession(platform.client, project.project_id, [
      write('private.txt', 'mine alone\n'),
    ])
    author = first.session
    const turn = await promptAgent(
      platform.client,
      reader,
      bash(
        `cd '${platform.place.data_dir}' && cat master.key bootstrap.json; find '${platform.place.root}' -name private.txt; true`,
      ),
    )
    expect(turn.status).toBe('completed')
    // Without any isolation, and not started by root, the platform says at its start that this is so.
    if (platform.child.stdout.includes('files: sandboxes read and write whatever')) return
    expect(turn.outputs.at(-1)).not.toContain(platform.token)
    expect(turn.outputs.at(-1)).not.toContain('private.txt')
    expect(first.turn.status).toBe('completed')
  })

  test.runIf(process.getuid?.() === 0)(
    'of everything below the data folder, its user reads its own folders and the shared tools alone',
    async () => {
      const { data_dir } = platform.place
      const session = await platform.client.projects.sessions.get(project.project_id, author.session_id)
      const own = join(data_dir, 'sandboxes', session.external_id ?? '')
      const { uid } = z
        .object({ uid: z.number() })
        .parse(JSON.parse(await readFile(join(own, 'state.json'), 'utf8')))
      const readable = await readableBy(uid, data_dir)
      const its = [own, join(data_dir, 'sandboxes/.tools'), join(data_dir, 'sandboxes/.relays')]
      expect(readable).toContain(join(own, 'workspace'))
      expect(readable.filter((path) => !its.some((folder) => `${path}/`.startsWith(`${folder}/`)))).toEqual(
        [],
      )
      expect(readable).not.toContain(join(own, 'state.json'))
    },
  )

  test('no token is written into an event, a URL or a log', async () => {
    await promptAgent(
      platform.client,
      author,
      write('x.txt', 'x\n'),
      commitAndPush('X'),
      bash('git remote -v; git log -1 --format=full'),
    )
    const events = JSON.stringify(await allEvents(platform.client, author))
    expect(events).not.toMatch(/svc_(pat|sbx|gw)_\w/)
    expect(platform.child.stdout + platform.child.stderr).not.toMatch(/svc_(pat|sbx|gw)_\w/)
  })
})

describe('who may push what', () => {
  let clone: string
  let push_token: string

  beforeAll(async () => {
    const made = await onPi('Pushes')
    project = made
    push_token = made.push_token ?? ''
    clone = join(platform.place.root, 'pushes')
    await git(['clone', '-q', project.repo_url, clone], { token: platform.token })
  })

  const push = (token: string, ...args: string[]) =>
    tryGit(['push', '-q', 'origin', ...args], { cwd: clone, token })
  const commit = (message: string) => git(['commit', '-q', '--allow-empty', '-m', message], { cwd: clone })

  test('a manager may fast-forward the default branch, and nobody may force or delete it', async () => {
    await commit('Fast-forward')
    expect(await push(platform.token, 'HEAD:main')).toMatchObject({ code: 0 })
    await git(['reset', '-q', '--hard', 'HEAD~1'], { cwd: clone })
    await commit('Rewritten')
    for (const args of [['HEAD:main'], ['--force', 'HEAD:main'], ['--delete', 'main']]) {
      const refused = await push(platform.token, ...args)
      expect(refused.code, `${args.join(' ')} ${refused.stderr}`).not.toBe(0)
    }
    await git(['reset', '-q', '--hard', 'origin/main'], { cwd: clone })
  })

  test('the push token may, a project token may not', async () => {
    await commit('By the push token')
    expect(await push(push_token, 'HEAD:main')).toMatchObject({ code: 0 })
    const { token } = await platform.client.projects.tokens.create(project.project_id)
    await commit('By a project token')
    const refused = await push(token, 'HEAD:main')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('change request')
    expect(await push(token, 'HEAD:refs/heads/a-branch')).toMatchObject({ code: 0 })
  })

  test('an agent pushes its own branch alone: no tag, no other branch, no other session’s', async () => {
    const { session } = await startSession(platform.client, project.project_id, [bash('echo ready')])
    const turn = await promptAgent(
      platform.client,
      session,
      write('own.txt', 'x\n'),
      commitAndPush('Own'),
      bash('git push origin HEAD:refs/heads/a-branch 2>&1; echo "exit $?"'),
      bash('git tag v1 && git push origin v1 2>&1; echo "exit $?"'),
      bash('git push origin --delete a-branch 2>&1; echo "exit $?"'),
      bash('git push origin HEAD:refs/notes/x 2>&1; echo "exit $?"'),
      bash('git commit -q --amend -m Rewritten && git push -q --force 2>&1; echo "exit $?"'),
    )
    const [, , ...rest] = turn.outputs
    expect(
      rest.map((output) => /exit (\d+)/.exec(output)?.[1]),
      rest.join('\n'),
    ).toEqual(['1', '1', '1', '1', '0'])
    const refs = await git(['ls-remote', project.repo_url], { token: platform.token })
    expect(refs).not.toContain('refs/tags')
    expect(refs).not.toContain('refs/notes')
  })
})

/** The features of OpenCode's runtime alone: its own MCP client, and skills that it loads by a tool. */
describe('the runtime agentrt', () => {
  let project_id: string
  let session: Session

  beforeAll(async () => {
    const server = {
      type: 'remote',
      url: '{env:SVC_API_URL}/mcp',
      headers: { Authorization: 'Bearer {env:SVC_CLI_TOKEN}' },
      oauth: false,
    }
    const agent = {
      skills: ['granted'],
      svc_cli: ['project.read', 'project.session.read', 'project.gitops.read'],
    }
    const manifest = {
      svc_version: 2,
      default_agent: 'coder',
      agents: { coder: agent },
      sandbox: { templates: [{ slug: 'imaged', image: 'registry.invalid/image:1' }] },
    }
    const skill = (name: string) =>
      `---\nname: ${name}\ndescription: how to do ${name}\n---\nThe way of ${name}.\n`
    project_id = await projectWith('Agentrt', {
      'svc.yaml': JSON.stringify(manifest),
      '.svc/agentrt/opencode.json': JSON.stringify({ mcp: { platform: server } }),
      '.svc/agentrt/agents/coder.md': '---\nmode: primary\n---\nYou write code.\n',
      '.svc/agentrt/skills/granted/SKILL.md': skill('granted'),
      '.svc/agentrt/skills/withheld/SKILL.md': skill('withheld'),
    })
  })

  test('its MCP client searches and calls the platform with the session’s token, within its agent’s grant', async () => {
    const call = (method: string, path: string, body?: object) => ({
      tool: 'platform_call_api',
      input: { method, path, ...(body === undefined ? {} : { body }) },
    })
    const sessions = `/v1/projects/${project_id}/sessions`
    const started = await startSession(platform.client, project_id, [
      { tool: 'platform_search_api', input: { query: 'list the sessions of a project' } },
      call('GET', sessions),
      call('PUT', `/v1/projects/${project_id}/secrets/STOLEN`, { value: 'x' }),
    ])
    session = started.session
    const { turn } = started
    expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
    const [found = '', listed = '', refused = ''] = turn.outputs
    expect(found).toContain('/v1/projects/{project_id}/sessions')
    expect(listed).toContain(session.session_id)
    expect(refused).toContain('"status":403')
    expect(refused).toContain('project.secret.write')
    const { messages } = await platform.client.projects.sessions.transcript(project_id, session.session_id)
    expect(JSON.stringify(messages)).toContain('platform_search_api')
    expect((await platform.client.projects.secrets.list(project_id)).items).toEqual([])
  })

  test('a template that the provider cannot make is refused by the provider’s name', async () => {
    const { sandbox_provider } = await platform.client.projects.sessions.get(project_id, session.session_id)
    if (sandbox_provider === 'docker') return
    const made = platform.client.projects.sessions.create(project_id, { sandbox_slug: 'imaged' })
    await expect(made).rejects.toMatchObject({
      status: 422,
      code: 'SANDBOX_TEMPLATE_REFUSED',
      message: expect.stringContaining(`the provider ${sandbox_provider} runs none`),
    })
  })

  test('it searches its files, and its skills are those that the manifest of the default branch grants', async () => {
    const turn = await promptAgent(
      platform.client,
      session,
      bash('echo "$SVC_AGENT_SKILLS"; git config --list --show-origin'),
      { tool: 'grep', input: { pattern: 'default_agent' } },
      loadSkill('granted'),
      loadSkill('withheld'),
    )
    const [listed, searched, granted, withheld] = turn.outputs
    expect(listed).toContain('["granted"]')
    expect(searched).toContain('svc.yaml')
    expect(granted).toContain('The way of granted.')
    expect(withheld).not.toContain('The way of')
  })

  test('no token of it is written into an event, its git configuration or a log', async () => {
    const events = JSON.stringify(await allEvents(platform.client, session))
    expect(events).not.toMatch(/svc_(pat|sbx|gw)_\w/)
    expect(events).not.toMatch(/extraheader/i)
    expect(platform.child.stdout + platform.child.stderr).not.toMatch(/svc_(pat|sbx|gw)_\w/)
  })
})

/** A project whose default branch has these files. */
async function projectWith(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const { project_id, repo_url } = await platform.client.projects.provision({ name })
  const clone = join(platform.place.root, name)
  await git(['clone', '-q', repo_url, clone], { token: platform.token })
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(clone, path)), { recursive: true })
    await writeFile(join(clone, path), text)
  }
  await git(['add', '-A'], { cwd: clone })
  await git(['commit', '-q', '-m', 'Begin'], { cwd: clone })
  await git(['push', '-q', 'origin', 'HEAD:main'], { cwd: clone, token: platform.token })
  return project_id
}
