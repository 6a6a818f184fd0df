import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { openWorld } from '../support/open-world.ts'
import { changeRequest, crUuid, preview, projectId, usage } from '../support/records.ts'
import { ok, refusal } from '../support/stub-api.ts'

const { cli, api, env: here, run } = await openWorld()
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
    api.routes[`GET ${path}`] = () => ok({ change_request: changeRequest(), cost: usage })
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
    api.routes[`GET ${crs}/3`] = () =>
      ok({ change_request: changeRequest({ status: 'merged' }), cost: usage })
    expect((await run(['cr', 'show', '3'])).code).toBe(0)
    expect(api.calls).toHaveLength(1)
  })

  it('still shows the rest when there is no preview', async () => {
    api.routes[`GET ${crs}/3`] = () => ok({ change_request: changeRequest(), cost: usage })
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
