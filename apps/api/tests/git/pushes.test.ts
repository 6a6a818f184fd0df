import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mint } from '../support/credentials.ts'
import { fakeDaemon, runSession } from '../support/sandbox.ts'
import { openGit } from './git-client.ts'

const { platform, project_id, push_token, stranger, folder, git, address, clone, change } = await openGit()

test('a push leaves an event, and so does one that is denied', async () => {
  const { token, user_id } = platform.owner
  const one = await clone(token)
  await change(one, 'audited.txt', 'x\n')
  const push = (by: string) => git(['-C', one, 'push', '-q', 'origin', 'HEAD:refs/heads/audited'], by)
  expect(await push(token)).toMatchObject({ code: 0 })
  expect((await push(stranger.token)).code).not.toBe(0)
  const events = (actor_id: string) =>
    platform.database.db
      .selectFrom('audit_events')
      .select(['action', 'outcome', 'target', 'ip', 'details'])
      .where('actor_id', '=', actor_id)
      .where('action', '=', 'gitPush')
      .orderBy('at', 'desc')
      .execute()
  const target = `git/${project_id}.git`
  await expect
    .poll(() => events(user_id))
    .toContainEqual({
      ...{ action: 'gitPush', outcome: 'success', target, ip: '127.0.0.1' },
      details: { refs: ['refs/heads/audited'], refused: [] },
    })
  await expect.poll(() => events(stranger.user_id)).toMatchObject([{ outcome: 'denied', target }])
  // Git answers with 200 to a push that the policy of a ref refuses.
  const row = { kind: 'project', user_id, project_id } as const
  const bound = await mint(platform.database.db, row)
  expect((await git(['-C', one, 'push', '-q', 'origin', 'HEAD:main'], bound.token)).code).not.toBe(0)
  const refused = [{ ref: 'refs/heads/main', reason: 'hook declined' }]
  await expect
    .poll(() => events(bound.token_id))
    .toMatchObject([{ outcome: 'denied', target, details: { refs: [], refused } }])
})

test('the push token of provision writes the default branch forward, and never rewrites it', async () => {
  const one = await clone(push_token)
  await change(one, 'direct.txt', 'direct\n')
  expect(await git(['-C', one, 'push', '-q', 'origin', 'HEAD:main'], push_token)).toMatchObject({ code: 0 })
  await git(['-C', one, 'commit', '-q', '--amend', '-m', 'Rewritten'])
  const forced = await git(['-C', one, 'push', '-qf', 'origin', 'HEAD:main'], push_token)
  expect(forced.code).not.toBe(0)
  expect(forced.text).toContain('cannot be rewritten')
})

test('invariant 1: the token of a session writes its own branch and nothing else', async () => {
  const daemon = await fakeDaemon((_req, res) => res.end(), 'tcp')
  const session = await runSession(platform, daemon)
  await daemon.close()
  const token = session.environment.SVC_CLI_TOKEN ?? ''
  const one = await clone(token, session.project_id)
  await change(one, 'work.txt', 'work\n')
  expect(await git(['-C', one, 'push', '-q', 'origin', `HEAD:${session.session_id}`], token)).toMatchObject({
    code: 0,
  })
  const refused = await git(['-C', one, 'push', '-q', 'origin', 'HEAD:main'], token)
  expect(refused.code).not.toBe(0)
  expect(refused.text).toContain('svc cr open')
  expect((await git(['-C', one, 'ls-remote', address()], token)).text).toContain('403')
})

test('a push that the token may not make at all says why', async () => {
  const headers = { authorization: `Bearer ${push_token}` }
  const other = await platform.call('/v1/projects/provision', {
    method: 'POST',
    token: platform.owner.token,
    json: { name: 'y' },
  })
  const response = await fetch(`${address(other.pick('project_id'))}/info/refs?service=git-receive-pack`, {
    headers,
  })
  expect(response.status).toBe(403)
  expect(response.headers.get('content-type')).toContain('text/plain')
  expect(await response.text()).toContain('another project')
})

const workspaces = [
  ['runtime', 'all', []],
  ['read', 'all', []],
  ['branch', '[project.read]', []],
  ['branch', '[project.gitops.push]', ['own']],
  ['branch', 'all', ['own', 'other']],
] as const

test('what a session’s git may push is its agent’s workspace and grant; it fetches always', async () => {
  const { token, user_id } = platform.owner
  const json = { name: 'Workspaces' }
  const made = await platform.call('/v1/projects/provision', { method: 'POST', token, json })
  const own = made.pick('project_id')
  const clone = join(folder, own)
  expect(await git(['clone', '-q', address(own), clone], token)).toMatchObject({ code: 0 })
  const agents = workspaces.map(
    ([workspace, svc_cli], n) => `  worker${n}: { workspace: ${workspace}, svc_cli: ${svc_cli} }\n`,
  )
  const manifest = `svc_version: 2\ndefault_agent: worker0\nagents:\n${agents.join('')}`
  await writeFile(join(clone, 'svc.yaml'), manifest)
  const inClone = (args: readonly string[], as: string) => git(['-C', clone, ...args], as)
  await inClone(['commit', '-q', '-a', '-m', 'x'], token)
  expect(await inClone(['push', '-q', 'origin', 'HEAD:main'], token)).toMatchObject({ code: 0 })

  for (const [n, [workspace, svc_cli, pushes]] of workspaces.entries()) {
    const session = await platform.call(`/v1/projects/${own}/sessions`, {
      method: 'POST',
      token,
      json: { agent_name: `worker${n}` },
    })
    const session_id = session.pick('session_id')
    const key = { kind: 'session', user_id, project_id: own, session_id } as const
    const agent = (await mint(platform.parts.db, key)).token
    const about = `${workspace} ${svc_cli}`
    expect(await inClone(['fetch', '-q', 'origin', session_id], agent), about).toMatchObject({ code: 0 })
    await inClone(['commit', '-q', '--allow-empty', '-m', about], agent)
    const refs = { own: session_id, other: `other${n}`, main: 'main' }
    const pushed: string[] = []
    for (const [name, ref] of Object.entries(refs))
      if ((await inClone(['push', '-q', 'origin', `HEAD:${ref}`], agent)).code === 0) pushed.push(name)
    expect(pushed, about).toEqual(pushes)
  }
})

test('a member does not push over the branch of a session that they may not speak to', async () => {
  const { token, user_id } = platform.owner
  const json = { name: 'Branches' }
  const made = await platform.call('/v1/projects/provision', { method: 'POST', token, json })
  const [own, account_id] = [made.pick('project_id'), made.pick('account_id')]
  const start = (by: string) =>
    platform.call(`/v1/projects/${own}/sessions`, { method: 'POST', token: by, json: {} })
  const theirs = (await start(token)).pick('session_id')
  const member = await platform.stranger()
  const { db } = platform.parts
  await db
    .insertInto('account_members')
    .values({ account_id, user_id: member.user_id, role: 'member', created_at: new Date() })
    .execute()
  await db
    .insertInto('project_members')
    .values({ project_id: own, user_id: member.user_id, role: 'member', created_at: new Date() })
    .execute()
  const mine = (await start(member.token)).pick('session_id')
  const one = await clone(member.token, own)
  await change(one, 'over.txt', 'over\n')
  const push = (by: string, ...refs: string[]) =>
    git(['-C', one, 'push', '-q', 'origin', ...refs.map((ref) => `+HEAD:${ref}`)], by)
  const refused = await push(member.token, theirs, 'refs/heads/fine')
  expect(refused.code).not.toBe(0)
  expect(refused.text).toContain('the work of a session that you may not speak to')
  const branches = await git(['-C', one, 'ls-remote', 'origin'], member.token)
  expect(branches.text).toContain('refs/heads/fine')
  expect(await push(member.token, mine, 'refs/tags/v1')).toMatchObject({ code: 0 })
  // The owner of the session, who is a manager.
  expect(await push(token, theirs)).toMatchObject({ code: 0 })
  // An agent that may write any branch is noted on those that it wrote.
  const key = { kind: 'session', user_id, project_id: own, session_id: theirs } as const
  await db
    .updateTable('project_sessions')
    .set({ agent_grant: JSON.stringify(['project.read', 'project.gitops.push', 'project.gitops.ref.any']) })
    .where('session_id', '=', theirs)
    .execute()
  const agent = (await mint(db, key)).token
  expect(await push(agent, 'refs/heads/by-an-agent', theirs)).toMatchObject({ code: 0 })
  const noted = await db.selectFrom('session_pushes').selectAll().where('session_id', '=', theirs).execute()
  expect(noted.map(({ branch }) => branch)).toEqual(['by-an-agent'])
})
