import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BootstrapFile } from '@svc/identity'
import type { ChangeRequest, Client, Project, Session } from '@svc/sdk'
import type { DemoArguments } from './arguments.ts'
import { followTurn } from './follow-turn.ts'
import { narrate } from './narrate.ts'
import { gitWithToken, runCommand } from './run-command.ts'

export interface StoryInput extends Pick<DemoArguments, 'repo' | 'agent'> {
  readonly client: Client
  readonly bootstrap: BootstrapFile
  readonly cli: string
}

const prompt = 'Add a file NOTES.md that says in one sentence what this repository is for.'

/** The main job from end to end, each part of it the real one. */
export async function runStory(input: StoryInput): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'svc-demo-'))
  try {
    // Read first: a repository that cannot be cloned leaves no project behind.
    const history = input.repo === null ? null : await cloneHistory(input.repo, work)
    const { project, push_token } = await provision(input)
    if (history !== null) await pushHistory(history, project, push_token)
    else if (input.agent !== null) await nameAgent(input.agent, work, project, push_token)
    const session = await startSession(input, project)
    const cr = await agentTurn(input.client, project, session)
    await review(input, project, cr)
    await merge(input, project, cr)
    await cloneAndShow(input, project, cr, work)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function provision({ client, repo }: StoryInput): Promise<{ project: Project; push_token: string }> {
  narrate.step(
    repo === null ? 'Provisioning a project with a starter repository' : 'Provisioning an empty project',
  )
  const project = await client.projects.provision({ name: 'Demo', seed_starter: repo === null })
  if (project.push_token === null) throw new Error('The project came without its push token')
  narrate.detail(`project ${project.project_id}\nclone   ${project.repo_url}`)
  return { project, push_token: project.push_token }
}

async function cloneHistory(repo: string, work: string): Promise<string> {
  narrate.step(`Cloning ${repo}`)
  const copy = join(work, 'history.git')
  await runCommand('git', ['clone', '--quiet', '--bare', '--', repo, copy])
  return copy
}

async function pushHistory(copy: string, project: Project, push_token: string): Promise<void> {
  narrate.step('Pushing its history to the project')
  await runCommand(
    'git',
    ['push', '--quiet', project.repo_url, `HEAD:refs/heads/${project.default_branch}`],
    {
      cwd: copy,
      env: gitWithToken(push_token),
    },
  )
  const log = await runCommand('git', ['log', '--oneline', '-3'], { cwd: copy })
  const count = await runCommand('git', ['rev-list', '--count', 'HEAD'], { cwd: copy })
  narrate.detail(`${count.trim()} commits, the newest:\n${log}`)
}

/** A line in the manifest is all that another agent takes. */
async function nameAgent(agent: string, work: string, project: Project, push_token: string): Promise<void> {
  narrate.step(`Naming the agent in its manifest: harness: ${agent}`)
  const copy = join(work, 'starter')
  const env = gitWithToken(push_token)
  await runCommand('git', ['clone', '--quiet', project.repo_url, copy], { env })
  await appendFile(join(copy, 'svc.yaml'), `\nharness: ${agent}\n`)
  const author = ['-c', 'user.name=Demo', '-c', 'user.email=demo@localhost']
  await runCommand('git', [...author, 'commit', '--quiet', '-am', `Run on ${agent}`], { cwd: copy })
  await runCommand('git', ['push', '--quiet', 'origin', 'HEAD'], { cwd: copy, env })
}

async function startSession({ client, repo, agent }: StoryInput, project: Project): Promise<Session> {
  narrate.step('Starting a session: a sandbox, a branch of its own, and the agent')
  const session = await client.projects.sessions.create(project.project_id, {
    initial_prompt: prompt,
    name: 'demo',
    // The manifest of a repository that is there already stays as it is.
    ...(agent === null || repo === null ? {} : { harness: agent }),
  })
  narrate.detail(`session ${session.session_id}\nprompt  ${prompt}`)
  return session
}

async function agentTurn(client: Client, project: Project, session: Session): Promise<ChangeRequest> {
  narrate.step('The agent works')
  await followTurn(client, session)
  const listing = client.projects.changeRequests.list(project.project_id, {
    origin_session_id: session.session_id,
  })
  for await (const cr of listing) return cr
  throw new Error('The agent opened no change request; read the session with: svc sessions chat')
}

async function review(input: StoryInput, project: Project, cr: ChangeRequest): Promise<void> {
  narrate.step(`Change request #${cr.number}: svc cr show, svc cr diff`)
  narrate.detail(await svc(input, project, ['cr', 'show', String(cr.number)]))
  narrate.detail(await svc(input, project, ['cr', 'diff', String(cr.number), '--no-color']))
  const preview = await input.client.projects.changeRequests.mergePreview(project.project_id, cr.cr_id)
  if (!preview.can_merge) throw new Error('The merge preview is not clean')
}

async function merge(input: StoryInput, project: Project, cr: ChangeRequest): Promise<void> {
  narrate.step('Merging it as the user: svc cr merge')
  narrate.detail(await svc(input, project, ['cr', 'merge', String(cr.number)]))
}

async function cloneAndShow(
  { client, bootstrap }: StoryInput,
  project: Project,
  cr: ChangeRequest,
  work: string,
): Promise<void> {
  narrate.step('Cloning the project with plain git')
  const clone = join(work, 'clone')
  await runCommand('git', ['clone', '--quiet', project.repo_url, clone], {
    env: gitWithToken(bootstrap.token),
  })
  narrate.detail(await runCommand('git', ['log', '--oneline', '--graph', '-5'], { cwd: clone }))
  const merged = await client.projects.changeRequests.get(project.project_id, cr.cr_id)
  const range = `${merged.base_commit_sha ?? ''}..${merged.merge_commit_sha ?? ''}`
  const changed = await runCommand('git', ['diff', '--name-only', range], { cwd: clone })
  for (const path of changed.trim().split('\n')) {
    narrate.detail(`${path} on ${project.default_branch}:\n${await readFile(join(clone, path), 'utf8')}`)
  }
}

/** The svc client as a person runs it. */
function svc({ cli, bootstrap }: StoryInput, project: Project, args: readonly string[]): Promise<string> {
  return runCommand(process.execPath, [cli, ...args], {
    env: {
      SVC_API_URL: bootstrap.api_url,
      SVC_CLI_TOKEN: bootstrap.token,
      SVC_PROJECT_ID: project.project_id,
      NO_COLOR: '1',
    },
  })
}
