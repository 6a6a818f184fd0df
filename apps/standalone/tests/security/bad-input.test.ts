import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bash, commitAndPush, startSession, write } from '../support/sessions/agent.ts'
import { git } from '../support/clients/git.ts'
import { readOpenApi } from '../support/clients/openapi.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { type Answer, request, type RequestInput } from '../support/clients/request.ts'
import { svc } from '../support/clients/svc.ts'

let platform: Platform
let project: Project
let base: string
let clone: string

beforeAll(async () => {
  platform = await startPlatform()
  project = await platform.client.projects.provision({ name: 'Bad input' })
  base = `/v1/projects/${project.project_id}`
  clone = join(platform.place.root, 'clone')
  await git(['clone', '-q', project.repo_url, clone], { token: platform.token })
})
afterAll(() => platform?.stop())

const ask = (operation: string, input: RequestInput = {}): Promise<Answer> =>
  request(platform.origin, operation, { token: platform.token, ...input })

async function pushBranch(branch: string, change: () => Promise<void>): Promise<void> {
  await git(['switch', '-q', '--discard-changes', '-c', branch, 'origin/main'], { cwd: clone })
  await change()
  await git(['add', '-A'], { cwd: clone })
  await git(['commit', '-q', '-m', `Work on ${branch}`], { cwd: clone })
  await git(['push', '-q', 'origin', `HEAD:refs/heads/${branch}`], { cwd: clone, token: platform.token })
}

describe('requests', () => {
  test.each([
    [
      'a body that is not JSON',
      { raw: '{"name":', headers: { 'content-type': 'application/json' } },
      400,
      'malformed_json',
    ],
    [
      'a body of another type',
      { raw: 'name=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported_media_type',
    ],
    ['a body that is too large', { json: { name: 'x'.repeat(5 * 1024 * 1024) } }, 413, 'payload_too_large'],
    ['a list instead of an object', { json: [] }, 400, 'invalid_request'],
    ['no body', {}, 400, 'invalid_request'],
    ['an unknown key', { json: { name: 'x', nmae: 'y' } }, 400, 'invalid_request'],
    ['NUL in a text', { json: { name: 'a\0b' } }, 400, 'invalid_request'],
    ['a blank name', { json: { name: '  ' } }, 400, 'invalid_request'],
    ['a bad idempotency key', { json: { name: 'x', idempotency_key: 'with space' } }, 400, 'invalid_request'],
  ] satisfies [string, RequestInput, number, string][])(
    '%s is refused with its reason',
    async (_, input, status, code) => {
      const answer = await ask('POST /v1/projects/provision', input)
      expect(answer, answer.text).toMatchObject({ status, body: { status, code } })
      expect(answer.headers.get('x-request-id')).toBeTruthy()
    },
  )

  test('an unknown key is an issue at that key', async () => {
    const answer = await ask(`POST ${base}/sessions`, { json: { initial_promt: 'x' } })
    expect(answer).toMatchObject({ status: 400, body: { error: true, issues: [{ path: 'initial_promt' }] } })
  })

  test('an id that is no uuid is 400 and an unknown one 404, on every route', async () => {
    const { operations } = await readOpenApi(platform.origin)
    const wrong: string[] = []
    // A provider of sign-ins, one of payments, an app and a harness have names, which may be anything.
    const withIds = operations.filter(
      ({ path }) => /\{(?!(provider|client_id|adapter)\})/.test(path) && !path.startsWith('/v1/harnesses/'),
    )
    for (const { method, path } of withIds) {
      for (const [id, expected] of [
        ['not-a-uuid', [400, 403]],
        ["x'; drop table projects;--", [400, 403]],
        ['%00', [400, 403]],
        [randomUUID(), [400, 403, 404]],
      ] as const) {
        const filled = path.replaceAll(/\{[a-z_]+\}/g, encodeURIComponent(id).replaceAll('%2500', '%00'))
        const { status, text } = await ask(`${method} ${filled}`)
        if (!expected.some((one) => one === status))
          wrong.push(`${method} ${filled}: ${status} ${text.slice(0, 100)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test.each(['not-a-harness', "x'; drop table projects;--", '\0'])(
    'the name %j of no harness is 404',
    async (name) => {
      expect(await ask(`GET /v1/harnesses/${encodeURIComponent(name)}`)).toMatchObject({ status: 404 })
    },
  )

  test('page sizes and cursors out of range are 400', async () => {
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=forged', 'status=unknown']) {
      for (const list of ['sessions', 'change-requests']) {
        expect((await ask(`GET ${base}/${list}?${query}`)).status, `${list} ${query}`).toBe(400)
      }
    }
  })
})

describe('idempotency keys', () => {
  test('a repeated session create is the same session, another request with its key a conflict', async () => {
    const headers = { 'idempotency-key': `Key.1:${randomUUID()}+/=` }
    const create = (json: unknown, key = headers) => ask(`POST ${base}/sessions`, { json, headers: key })
    const body = { name: 'once', metadata: { a: 1, b: 2 } }
    const answers = await Promise.all([
      create(body),
      create(body),
      create({ ...body, metadata: { b: 2, a: 1 } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body: { session_id } }) => session_id)).size).toBe(1)
    expect(await create({ ...body, name: 'twice' })).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_CONFLICT' },
    })
    for (const key of [
      '',
      'has space',
      'ünïcode'.normalize('NFD').replaceAll(/[^\x20-\x7e]/g, '~'),
      'x'.repeat(256),
    ]) {
      expect(await create(body, { 'idempotency-key': key }), key).toMatchObject({
        status: 400,
        body: { code: 'INVALID_IDEMPOTENCY_KEY' },
      })
    }
    const session_id = String(answers[0].body.session_id)
    await platform.client.projects.sessions.delete(project.project_id, session_id)
    expect(await create(body)).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_SESSION_DELETED' },
    })
  })

  test('provisioning twice with one key is one project, whose push token is shown once', async () => {
    const idempotency_key = randomUUID()
    const first = await platform.client.projects.provision({ name: 'Once', idempotency_key })
    const second = await platform.client.projects.provision({ name: 'Once', idempotency_key })
    expect(second).toMatchObject({ project_id: first.project_id, push_token: null })
    expect(first.push_token).toMatch(/^svc_pat_/)
  })
})

describe('branches', () => {
  test.each([
    [
      'a base that is not there',
      { title: 'x', head_ref: 'main', base_ref: 'nowhere' },
      400,
      'CR_REF_NOT_FOUND',
    ],
    ['a head that was never pushed', { title: 'x', head_ref: 'nowhere' }, 422, 'CR_HEAD_NOT_AHEAD'],
    [
      'the same branch twice',
      { title: 'x', head_ref: 'main', base_ref: 'refs/heads/main' },
      400,
      'CR_SAME_REF',
    ],
    ['an option instead of a branch', { title: 'x', head_ref: '--upload-pack=touch /tmp/x' }, null, null],
    ['a range instead of a branch', { title: 'x', head_ref: 'main..main' }, null, null],
    ['a reflog instead of a branch', { title: 'x', head_ref: 'main@{0}' }, null, null],
  ] as const)('a change request of %s is refused', async (_, json, status, code) => {
    const answer = await ask(`POST ${base}/change-requests`, { json })
    expect([400, 422], answer.text).toContain(answer.status)
    if (status !== null) expect(answer).toMatchObject({ status, body: { code } })
  })

  test('a session from a branch that is not there is refused', async () => {
    expect(await ask(`POST ${base}/sessions`, { json: { base_ref: 'nowhere' } })).toMatchObject({
      status: 400,
      body: { code: 'REF_NOT_FOUND' },
    })
  })

  test('deleting the head branch leaves the change request readable', async () => {
    await pushBranch('soon-gone', () => writeFile(join(clone, 'gone.txt'), 'x\n'))
    const cr = await platform.client.projects.changeRequests.create(project.project_id, {
      title: 'Gone',
      head_ref: 'soon-gone',
    })
    await git(['push', '-q', 'origin', '--delete', 'soon-gone'], { cwd: clone, token: platform.token })
    expect(await platform.client.projects.changeRequests.get(project.project_id, cr.cr_id)).toMatchObject({
      head_commit_sha: cr.head_commit_sha,
    })
    for (const part of ['diff', 'merge-preview']) {
      const answer = await ask(`GET ${base}/change-requests/${cr.cr_id}/${part}`)
      expect([200, 404, 409, 422], `${part} ${answer.text}`).toContain(answer.status)
    }
    const merge = await ask(`POST ${base}/change-requests/${cr.cr_id}/merge`)
    expect([400, 409, 422], merge.text).toContain(merge.status)
  })
})

describe('contents', () => {
  const branch = 'fünny branch/日本語'.replaceAll(' ', '-')
  const names = [
    'päth with spaces/日本語 🎉.txt',
    '-rf',
    'quote\'"quote.txt',
    'tab\tname.txt',
    'back\\slash.txt',
    '%2e%2e',
    '{braces}',
  ]

  test('odd names of branches and files go through the diff, the merge and the reads', async () => {
    await pushBranch(branch, async () => {
      await mkdir(join(clone, 'päth with spaces'))
      for (const name of names) await writeFile(join(clone, name), `in ${name}\n`)
      await writeFile(join(clone, 'binary.dat'), Buffer.from([0, 1, 2, 255, 254, 0]))
    })
    const { changeRequests, files } = platform.client.projects
    const cr = await changeRequests.create(project.project_id, {
      title: 'Odd "names" — 日本語',
      head_ref: branch,
    })
    const diff = await changeRequests.diff(project.project_id, cr.cr_id)
    expect(diff.files.map(({ path }) => path).sort()).toEqual([...names, 'binary.dat'].sort())
    expect(diff.files.find(({ path }) => path === 'binary.dat')).toMatchObject({
      binary: true,
      additions: 0,
      deletions: 0,
    })
    expect(diff.patch).toMatch(/Binary files .* differ/)
    for (const path of names) {
      const narrowed = await changeRequests.diff(project.project_id, cr.cr_id, { path })
      expect(
        narrowed.files.map((file) => file.path),
        path,
      ).toEqual([path])
    }
    const shown = await svc(platform, ['cr', 'diff', String(cr.number)], { project_id: project.project_id })
    expect(shown, shown.stderr).toMatchObject({ code: 0 })

    await changeRequests.merge(project.project_id, cr.cr_id, {
      message: 'Merge "odd" — 日本語\n\nwith $(a body)',
    })
    for (const path of names) {
      expect((await files.read(project.project_id, { path })).content, path).toBe(`in ${path}\n`)
    }
    expect(await files.read(project.project_id, { path: 'binary.dat' })).toMatchObject({
      encoding: 'base64',
      size: 6,
    })
    for (const path of ['../etc/passwd', '/etc/passwd', 'päth with spaces', '.git/config', 'nowhere']) {
      const answer = await ask(`GET ${base}/files/content?path=${encodeURIComponent(path)}`)
      expect([400, 404], path).toContain(answer.status)
    }
  })

  test('a huge file and a huge diff are bounded, and named', async () => {
    await git(['fetch', '-q'], { cwd: clone, token: platform.token })
    await pushBranch('huge', async () => {
      const line = `${randomBytes(48).toString('hex')}\n`
      await writeFile(join(clone, 'a small.txt'), 'small\n')
      await writeFile(join(clone, 'huge.txt'), line.repeat(120_000))
    })
    const { changeRequests } = platform.client.projects
    const cr = await changeRequests.create(project.project_id, { title: 'Huge', head_ref: 'huge' })
    const diff = await changeRequests.diff(project.project_id, cr.cr_id)
    expect(diff).toMatchObject({ patch_truncated: true, files_changed: 2, additions: 120_001 })
    expect(diff.patch).toContain('a small.txt')
    expect(diff.patch.length).toBeLessThanOrEqual(8 * 1024 * 1024)
    const content = await ask(`GET ${base}/files/content?ref=huge&path=huge.txt`)
    expect(content).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  })

  test('an empty repository: the session makes the first commit on its own branch', async () => {
    const empty = await platform.client.projects.provision({ name: 'Empty', seed_starter: false })
    const { files, commits, branches } = platform.client.projects
    expect((await files.list(empty.project_id)).entries).toEqual([])
    expect((await commits.list(empty.project_id)).items).toEqual([])
    expect(await branches.list(empty.project_id)).toEqual([])
    const { session, turn } = await startSession(platform.client, empty.project_id, [
      write('first.txt', 'first\n'),
      commitAndPush('First'),
      bash('svc cr open --title First 2>&1; echo "exit $?"'),
    ])
    expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
    expect((await branches.list(empty.project_id)).map(({ name }) => name)).toEqual([session.session_id])
    expect(turn.outputs.at(-1)).toMatch(/exit 1/)
    expect(turn.outputs.at(-1)).toMatch(/main/)
  })
})
