import { execFile, type ExecFileException } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mint } from '../support/credentials.ts'
import type { Caller } from '../support/platform.ts'
import { runSession } from '../support/sandbox.ts'
import { fakeDaemon } from '../support/sandbox.ts'
import { openWorld } from '../support/world.ts'

const { platform, api, ask } = await openWorld()
let stranger: Caller
let project_id: string
let push_token: string
let folder: string

beforeAll(async () => {
  stranger = await platform.stranger()
  const project = await ask('POST', '/v1/projects/provision', { name: 'x' })
  project_id = project.pick('project_id')
  push_token = project.pick('push_token')
  folder = await mkdtemp(join(tmpdir(), 'svc-git-http-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

interface GitResult {
  readonly code: number
  readonly text: string
}

/** Runs the real git as a user would, and returns its output. */
function git(args: readonly string[], token?: string): Promise<GitResult> {
  const header =
    token === undefined
      ? []
      : [
          '-c',
          `http.extraHeader=Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`,
        ]
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@svc.invalid',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@svc.invalid',
  }
  return new Promise((resolve) => {
    execFile('git', [...header, ...args], { env }, (error: ExecFileException | null, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, text: stdout + stderr })
    })
  })
}

const address = (id = project_id) => `${api.origin}/v1/git/${id}.git`

async function clone(token: string, id = project_id): Promise<string> {
  const target = await mkdtemp(join(folder, 'clone-'))
  expect(await git(['clone', '--quiet', address(id), target], token)).toMatchObject({ code: 0 })
  return target
}

async function change(target: string, name: string, content: string | Uint8Array) {
  await writeFile(join(target, name), content)
  await git(['-C', target, 'add', '-A'])
  expect(await git(['-C', target, 'commit', '-qm', `Add ${name}`])).toMatchObject({ code: 0 })
}

test('clone, push a branch, fetch it again', async () => {
  const { token } = platform.owner
  const one = await clone(token)
  await change(one, 'one.txt', 'one\n')
  expect(await git(['-C', one, 'push', '-q', 'origin', 'HEAD:refs/heads/topic'], token)).toMatchObject({
    code: 0,
  })
  const two = await clone(token)
  expect((await git(['-C', two, 'branch', '-r'])).text).toContain('origin/topic')
})

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

test.each(['0', '1', '2'])('protocol version %s', async (version) => {
  const listed = await git(
    ['-c', `protocol.version=${version}`, 'ls-remote', address()],
    platform.owner.token,
  )
  expect(listed).toMatchObject({ code: 0 })
  expect(listed.text).toContain('refs/heads/main')
})

test('a large push is streamed and comes back as it was', async () => {
  const { token } = platform.owner
  const one = await clone(token)
  await change(one, 'large.bin', randomBytes(6 * 1024 * 1024))
  expect(await git(['-C', one, 'push', '-q', 'origin', 'HEAD:refs/heads/large'], token)).toMatchObject({
    code: 0,
  })
  const target = await mkdtemp(join(folder, 'clone-'))
  expect(await git(['clone', '-q', '-b', 'large', address(), target], token)).toMatchObject({ code: 0 })
  expect((await git(['-C', target, 'rev-parse', 'HEAD'])).text).toBe(
    (await git(['-C', one, 'rev-parse', 'HEAD'])).text,
  )
})

test('a shallow and a partial clone work', async () => {
  for (const flag of ['--depth=1', '--filter=blob:none']) {
    const target = await mkdtemp(join(folder, 'clone-'))
    expect(await git(['clone', '-q', flag, address(), target], platform.owner.token), flag).toMatchObject({
      code: 0,
    })
  }
})

test('without a credential git is asked for one', async () => {
  const response = await fetch(`${address()}/info/refs?service=git-upload-pack`)
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Basic realm="svc"')
  expect(response.headers.get('x-request-id')).toBeTruthy()
  expect((await git(['ls-remote', address()])).text).toMatch(/could not read Username|Authentication failed/)
})

test('a wrong credential is 401, a foreign person 404, a bearer is as good as a password', async () => {
  const refs = `${address()}/info/refs?service=git-upload-pack`
  expect((await fetch(refs, { headers: { authorization: 'Bearer nonsense' } })).status).toBe(401)
  expect((await fetch(refs, { headers: { authorization: `Bearer ${stranger.token}` } })).status).toBe(404)
  expect((await fetch(refs, { headers: { authorization: `Bearer ${platform.owner.token}` } })).status).toBe(
    200,
  )
})

test('nothing but the three routes is there', async () => {
  const headers = { authorization: `Bearer ${platform.owner.token}` }
  for (const path of [
    '',
    '/HEAD',
    '/config',
    '/objects/info/packs',
    '/info/refs?service=git-upload-archive',
    '/git-upload-archive',
  ]) {
    const response = await fetch(address() + path, { headers })
    expect([403, 404], path).toContain(response.status)
    expect(response.headers.get('content-type'), path).toContain('text/plain')
  }
  expect((await fetch(`${address()}/git-upload-pack`, { headers })).status).toBe(405)
  expect((await fetch(`${address()}/git-upload-pack`, { headers, method: 'POST', body: 'x' })).status).toBe(
    415,
  )
  expect(
    (await fetch(`${api.origin}/v1/git/not-a-uuid.git/info/refs?service=git-upload-pack`, { headers }))
      .status,
  ).toBe(404)
})

test('a compressed request is understood', async () => {
  const response = await fetch(`${address()}/git-upload-pack`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${platform.owner.token}`,
      'content-type': 'application/x-git-upload-pack-request',
      'content-encoding': 'gzip',
      'git-protocol': 'version=2',
    },
    body: gzipSync('0014command=ls-refs\n00010009peel\n0000'),
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toContain('no-cache')
  expect(await response.text()).toContain('refs/heads/main')
})

const asked = gzipSync('0014command=ls-refs\n00010009peel\n0000')

test.each([
  ['gzip', 'a body that is none', Buffer.from('0014command=ls-refs\n00010009peel\n0000'), 400],
  ['gzip', 'one that was cut', asked.subarray(0, -12), 400],
  ['gzip', 'one that was changed on the way', Buffer.concat([asked.subarray(0, -8), Buffer.alloc(8)]), 400],
  ['gzip', 'nothing', Buffer.alloc(0), 400],
  ['gzip', 'one that unpacks to very much', gzipSync(Buffer.alloc(80_000_000)), 400],
  ['br', 'another compression', brotliCompressSync('0014command=ls-refs\n00010009peel\n0000'), 415],
  ['gzip, gzip', 'two of them', gzipSync(asked), 415],
  ['snappy', 'an unknown one', asked, 415],
] as const)(
  'a body with Content-Encoding %s: %s, is refused as a mistake',
  async (encoding, _, body, status) => {
    for (const service of ['git-upload-pack', 'git-receive-pack']) {
      for (const protocol of ['version=2', 'version=0']) {
        const response = await fetch(`${address()}/${service}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${platform.owner.token}`,
            'content-type': `application/x-${service}-request`,
            'content-encoding': encoding,
            'git-protocol': protocol,
          },
          body: new Uint8Array(body),
        })
        expect([service, protocol, response.status, await response.text()]).toEqual([
          service,
          protocol,
          status,
          expect.stringMatching(/gzip|git could not read/),
        ])
      }
    }
  },
)

test('the push token of provision writes the default branch forward, and never rewrites it', async () => {
  const one = await clone(push_token)
  await change(one, 'direct.txt', 'direct\n')
  expect(await git(['-C', one, 'push', '-q', 'origin', 'HEAD:main'], push_token)).toMatchObject({ code: 0 })
  await git(['-C', one, 'commit', '-q', '--amend', '-m', 'Rewritten'])
  const forced = await git(['-C', one, 'push', '-qf', 'origin', 'HEAD:main'], push_token)
  expect(forced.code).not.toBe(0)
  expect(forced.text).toContain('cannot be rewritten')
})

test('the token of a session writes its own branch and nothing else', async () => {
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
