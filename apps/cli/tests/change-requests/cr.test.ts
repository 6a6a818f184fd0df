import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openWorld } from '../support/open-world.ts'
import { changeRequest, crUuid, otherProjectId, preview, projectId, sessionId } from '../support/records.ts'
import { ok, refusal } from '../support/stub-api.ts'

const { cli, api, outside, env: here, run, bodyOf } = await openWorld()
const base = `/v1/projects/${projectId}`
const crs = `${base}/change-requests`

describe('cr ls', () => {
  it('lists the open ones of every page', async () => {
    api.routes[`GET ${crs}`] = ({ query }) =>
      query.get('cursor') === null
        ? ok({ change_requests: [changeRequest()], next_cursor: 'n' })
        : ok({ change_requests: [changeRequest({ number: 2, title: 'Older' })] })
    const { stdout } = await run(['cr', 'ls'])
    expect(api.calls[0]?.query.get('status')).toBe('open')
    expect(stdout).toMatch(/^#3 {2}Fix rounding {2}fix {3}main {2}open/m)
    expect(stdout).toContain('#2')
    const json: unknown = JSON.parse((await run(['cr', 'ls', '--status', 'all', '--json'])).stdout)
    expect(json).toMatchObject({ change_requests: [{ number: 3 }, { number: 2 }] })
  })

  it('cannot be made to send the terminal commands', async () => {
    api.routes[`GET ${crs}`] = () => ok({ change_requests: [changeRequest({ title: 'a\u001b[2Jb\nc' })] })
    const { stdout } = await run(['cr', 'ls'])
    expect(stdout).not.toContain('\u001b')
    expect(stdout.trimEnd().split('\n')).toHaveLength(2)
  })
})

describe('cr show', () => {
  const conflicted = preview({
    can_merge: false,
    can_fast_forward: false,
    conflicts: ['src/price.ts'],
    manifest: {
      valid: false,
      issues: [{ path: 'triggers[0].agent', message: 'unknown', severity: 'error', line: 4 }],
    },
  })

  it.each(['3', '#3', crUuid])('%s includes the merge preview', async (given) => {
    const path = `${crs}/${given.replace('#', '')}`
    api.routes[`GET ${path}`] = () => ok({ change_request: changeRequest() })
    api.routes[`GET ${crs}/${crUuid}/merge-preview`] = () => ok(conflicted)
    for (const word of ['show', 'info']) {
      const { code, stdout } = await run(['cr', word, given])
      expect(code).toBe(0)
      expect(stdout).toContain('Fix rounding')
      expect(stdout).toContain('Cannot merge: 1 conflict.')
      expect(stdout).toContain('conflict: src/price.ts')
      expect(stdout).toContain('manifest error: triggers[0].agent: unknown (line 4)')
    }
    const json: unknown = JSON.parse((await run(['cr', 'show', given, '--json'])).stdout)
    expect(json).toMatchObject({
      change_request: { number: 3 },
      merge_preview: { conflicts: ['src/price.ts'] },
    })
  })

  it('of a merged one asks for no preview', async () => {
    api.routes[`GET ${crs}/3`] = () => ok({ change_request: changeRequest({ status: 'merged' }) })
    expect((await run(['cr', 'show', '3'])).code).toBe(0)
    expect(api.calls).toHaveLength(1)
  })

  it('still shows the rest when there is no preview', async () => {
    api.routes[`GET ${crs}/3`] = () => ok({ change_request: changeRequest() })
    api.routes[`GET ${crs}/${crUuid}/merge-preview`] = () =>
      refusal(422, 'CR_HEAD_NOT_AHEAD', 'The head branch is gone')
    const { code, stdout, stderr } = await run(['cr', 'show', '3'])
    expect(code).toBe(0)
    expect(stdout).toContain('Fix rounding')
    expect(stderr).toContain('No merge preview: The head branch is gone')
  })

  it('of an unknown one fails with what to do and the request id', async () => {
    const { code, stdout, stderr } = await run(['cr', 'show', '9'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('error: No such thing (not_found, 404)')
    expect(stderr).toContain('next:')
    expect(stderr).toContain('request id: req-7')
  })
})

describe('cr diff', () => {
  const patch = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-old\n+new\u001b[31m\n'

  it('gives a pipe the patch as it is, without colour', async () => {
    api.routes[`GET ${crs}/3/diff`] = () => ok({ patch, patch_truncated: false, files: [] })
    expect(await run(['cr', 'diff', '3'])).toEqual({ code: 0, stdout: patch, stderr: '' })
    expect((await run(['cr', 'diff', '3', '--no-color'])).stdout).toBe(patch)
    expect(JSON.parse((await run(['cr', 'diff', '3', '--json'])).stdout)).toMatchObject({ patch })
  })

  it('says when the patch is cut', async () => {
    const cut = { patch, patch_truncated: true, files_changed: 900, additions: 5, deletions: 6 }
    api.routes[`GET ${crs}/3/diff`] = () => ok(cut)
    expect((await run(['cr', 'diff', '3'])).stderr).toContain('The patch is cut: 900 files, +5 -6')
  })

  it('ends quietly when the reader of the pipe leaves', async () => {
    const huge = `${patch}${'+x\n'.repeat(2_000_000)}`
    api.routes[`GET ${crs}/3/diff`] = () => ok({ patch: huge, patch_truncated: false })
    const { child, result } = cli.start(['cr', 'diff', '3'], { env: here })
    const said = result.catch(() => null)
    child.stdout?.once('data', () => child.stdout?.destroy())
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    await said
  })
})

describe('cr open', () => {
  beforeEach(() => {
    api.routes[`POST ${crs}`] = () => ({ status: 201, body: changeRequest() })
  })

  it('in a sandbox needs the title only', async () => {
    const env = { SVC_BRANCH_NAME: sessionId, SVC_SESSION_ID: sessionId }
    const { code, stdout } = await run(['cr', 'open', '--title', 'x'], { env })
    expect(code).toBe(0)
    expect(stdout).toContain('Opened #3')
    expect(bodyOf('POST')).toEqual({ title: 'x', head_ref: sessionId, session_id: sessionId })
  })

  it('falls back to SVC_HEAD_REF, and flags win over the environment', async () => {
    const env = { SVC_HEAD_REF: 'from-env', SVC_SESSION_ID: sessionId }
    await run(['cr', 'open', '--title', 'x'], { env })
    expect(bodyOf('POST')).toMatchObject({ head_ref: 'from-env' })
    api.calls.length = 0
    await run(['cr', 'open', '--title', 'x', '--head', 'mine', '--session', 's', '--base', 'dev'], { env })
    expect(bodyOf('POST')).toEqual({ title: 'x', head_ref: 'mine', session_id: 's', base_ref: 'dev' })
  })

  it.each(['open', 'new', 'create'])('%s takes the other spellings of its flags', async (word) => {
    await run(['cr', word, '--title', 'x', '--from', 'h', '--into', 'b', '--body', 'd'])
    expect(bodyOf('POST')).toEqual({ title: 'x', head_ref: 'h', base_ref: 'b', description: 'd' })
  })

  it("does not name a sandbox's session in another project", async () => {
    api.routes[`POST /v1/projects/${otherProjectId}/change-requests`] = () => ({
      status: 201,
      body: changeRequest(),
    })
    const env = { SVC_BRANCH_NAME: 'h', SVC_SESSION_ID: sessionId }
    await run(['cr', 'open', '--title', 'x', '--project', otherProjectId], { env })
    expect(bodyOf('POST')).toEqual({ title: 'x', head_ref: 'h' })
  })

  it('outside of a linked folder requires --head', async () => {
    const { code, stderr } = await run(['cr', 'open', '--title', 'x'])
    expect(code).toBe(2)
    expect(stderr).toContain('--head is required')
    expect(api.calls).toEqual([])
  })

  it('in a linked folder takes the current branch', async () => {
    const cwd = join(cli.work, 'repo')
    await mkdir(join(cwd, '.svc'), { recursive: true })
    await writeFile(join(cwd, '.svc/link.json'), JSON.stringify({ project_id: projectId, host: 'local-dev' }))
    execFileSync('git', ['init', '-q', '-b', 'topic', cwd])
    const { code } = await cli.run(['cr', 'open', '--title', 'x', '--json'], { cwd, env: outside })
    expect(code).toBe(0)
    expect(bodyOf('POST')).toEqual({ title: 'x', head_ref: 'topic' })
  })

  it.each([
    ['CR_HEAD_NOT_AHEAD', 422, {}, 'push'],
    ['CR_ALREADY_OPEN', 409, { number: 8 }, 'svc cr show 8'],
  ])('refused with %s says what to do', async (code, status, details, next) => {
    api.routes[`POST ${crs}`] = () => refusal(status, code, 'No', details)
    const result = await run(['cr', 'open', '--title', 'x', '--head', 'h'])
    expect(result.code).toBe(1)
    expect(result.stderr).toContain(`(${code}, ${status})`)
    expect(result.stderr).toContain(next)
  })
})

describe('cr merge, close and reopen', () => {
  const merged = () =>
    ok({
      change_request: changeRequest({ status: 'merged' }),
      merge: { merge_commit_sha: 'c'.repeat(40), fast_forward: true },
    })
  /** The head branch as the platform has it now. */
  const headAt = (head: string) => {
    const cr = changeRequest({ head_commit_sha: head })
    for (const path of [`${crs}/3`, `${crs}/${crUuid}`]) {
      api.routes[`GET ${path}`] = () => ok({ change_request: cr })
      api.routes[`GET ${path}/merge-preview`] = () => ok(preview({ head_sha: head, ahead: 2 }))
      api.routes[`GET ${path}/diff`] = () =>
        ok({ cr_id: crUuid, head_sha: head, patch: '', patch_truncated: false, files_changed: 1 })
    }
  }
  const [seen, moved] = ['a'.repeat(40), 'd'.repeat(40)]

  beforeEach(async () => {
    await rm(`${cli.config_file}.seen`, { force: true })
    headAt(seen)
    api.routes[`POST ${crs}/3/merge`] = merged
  })

  it('merge without a look before says what it merges, and sends that head', async () => {
    const { code, stdout, stderr } = await run(['cr', 'merge', '3', '--message', 'm'])
    expect([code, stdout]).toEqual([0, `Merged #3 into main: fast-forward ${'c'.repeat(40)}\n`])
    expect(stderr).toBe('Merging #3  Fix rounding: 2 commits, 1 file, fix at aaaaaaaaaaaa into main\n')
    expect(bodyOf('POST')).toEqual({ message: 'm', expected_head_sha: seen })
  })

  it.each(['show', 'diff'])('merge sends the head that `cr %s` showed last', async (word) => {
    await run(['cr', word, '3'])
    headAt(moved)
    api.routes[`POST ${crs}/3/merge`] = () =>
      refusal(409, 'CR_STALE_HEAD', 'The head branch is elsewhere', { actual_sha: moved })
    const { code, stdout, stderr } = await run(['cr', 'merge', '3'])
    expect([code, stdout]).toEqual([1, ''])
    expect(bodyOf('POST')).toEqual({ expected_head_sha: seen })
    expect(stderr).toContain('head moved since you looked: aaaaaaaaaaaa -> dddddddddddd (CR_STALE_HEAD, 409)')
    expect(stderr).toContain('next: svc cr diff 3')
    expect(stderr).not.toContain('Merging')
  })

  it('a second look lets the merge go on, under either name of the change request', async () => {
    await run(['cr', 'diff', '3'])
    headAt(moved)
    await run(['cr', 'diff', crUuid])
    await run(['cr', 'merge', '3'])
    expect(bodyOf('POST')).toEqual({ expected_head_sha: moved })
  })

  it('what another platform showed counts there only', async () => {
    await run(['cr', 'diff', '3'])
    headAt(moved)
    const elsewhere = { SVC_API_URL: api.api_url.replace('127.0.0.1', 'localhost') }
    await run(['cr', 'merge', '3'], { env: elsewhere })
    expect(bodyOf('POST')).toEqual({ expected_head_sha: moved })
  })

  it('a script names the head that it expects', async () => {
    await run(['cr', 'merge', '3', '--expected-head', moved])
    expect(bodyOf('POST')).toEqual({ expected_head_sha: moved })
    const short = await run(['cr', 'merge', '3', '--expected-head', 'dddd'])
    expect(short.code).toBe(2)
    expect(short.stderr).toContain('give the whole commit id')
  })

  it('what was shown is kept for its owner only, and not for ever', async () => {
    const file = `${cli.config_file}.seen`
    const before = Array.from({ length: 300 }, (_, index) => [`http://old ${index}`, seen])
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, JSON.stringify({ heads: Object.fromEntries(before) }))
    await run(['cr', 'show', '3'])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'))
    const heads = Object.entries(Object(kept).heads)
    expect(heads).toHaveLength(200)
    expect(heads.at(-1)).toEqual([`${api.api_url} ${crUuid}`, seen])
  })

  it('a look is answered where nothing can be kept', async () => {
    const env = { SVC_CONFIG_FILE: '/proc/config.json' }
    const { code, stderr } = await run(['cr', 'diff', '3'], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('merge with conflicts lists them and says how to go on', async () => {
    api.routes[`POST ${crs}/3/merge`] = () =>
      refusal(409, 'MERGE_CONFLICT', 'CONFLICT (content)', { conflicts: ['a.ts'] })
    const { code, stderr } = await run(['cr', 'merge', '3'])
    expect(code).toBe(1)
    expect(stderr).toContain('conflict: a.ts')
    expect(stderr).toContain('merge the base branch')
  })

  it('merge with an invalid manifest lists its issues', async () => {
    const issues = [{ path: 'default_agent', message: 'names no agent', severity: 'error', line: 3 }]
    api.routes[`POST ${crs}/3/merge`] = () => refusal(422, 'MANIFEST_INVALID', 'Not valid', { issues })
    expect((await run(['cr', 'merge', '3'])).stderr).toContain('default_agent: names no agent (line 3)')
  })

  it.each([
    ['close', 'Closed'],
    ['reopen', 'Reopened'],
  ])('%s', async (word, said) => {
    api.routes[`POST ${crs}/3/${word}`] = () => ok(changeRequest())
    expect(await run(['cr', word, '#3'])).toMatchObject({ code: 0, stdout: `${said} #3  Fix rounding\n` })
  })

  it('a write is sent once, whatever happens to its answer', async () => {
    api.routes[`POST ${crs}/3/merge`] = (_, response) => void response.socket?.destroy()
    expect((await run(['cr', 'merge', '3'])).code).toBe(1)
    expect(api.calls.filter((call) => call.method === 'POST')).toHaveLength(1)
  })
})

describe('cr request-changes', () => {
  beforeEach(() => {
    api.routes[`POST ${crs}/3/request-changes`] = () =>
      ok({ change_request: changeRequest(), delivering: true })
  })

  it.each([
    [['--feedback', 'Round up'], ''],
    [['--text', 'Round up'], ''],
    [['--feedback', '-'], 'Round up'],
  ])('%j sends the feedback', async (flags, input) => {
    const { code, stdout, stderr } = await run(['cr', 'request-changes', '3', ...flags], { input })
    expect([code, stdout]).toEqual([0, 'Requested changes on #3  Fix rounding\n'])
    expect(stderr).toContain('has been sent the feedback')
    expect(bodyOf('POST')).toEqual({ feedback: 'Round up' })
  })

  it('without words asks for them', async () => {
    const { code, stderr } = await run(['cr', 'request-changes', '3', '--feedback', '-'], { input: ' \n' })
    expect(code).toBe(2)
    expect(stderr).toContain('--feedback <text>')
    expect(api.calls).toEqual([])
  })
})
