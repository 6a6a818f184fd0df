import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Session } from '@svc/sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import { bash, loadSkill, promptAgent, startSession } from '../../support/sessions/agent.ts'
import { allEvents } from '../../support/sessions/events.ts'
import { git } from '../../support/clients/git.ts'
import { platform } from './world.ts'

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
