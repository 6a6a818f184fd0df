import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openWorld } from '../support/open-world.ts'
import { changeRequest, crUuid, preview, projectId } from '../support/records.ts'
import { ok, refusal } from '../support/stub-api.ts'

const { cli, api, run, bodyOf } = await openWorld()
const base = `/v1/projects/${projectId}`
const crs = `${base}/change-requests`

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
