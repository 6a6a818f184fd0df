import { expect, test } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { me, projectId, sessionId } from './support/records.ts'
import { ok, refusal } from './support/stub-api.ts'

const health = () => ok({ status: 'ok', version: '1', commit: 'c' })
const { api, run, bodyOf } = await openWorld({
  'GET /v1/health': health,
  'GET /v1/accounts/me': () => ok(me),
})

const at = '2026-01-31T12:00:00.000Z'
const run_id = sessionId
const finding = {
  ...{ check: 'cr_merged_missing', severity: 'error', project_id: projectId, subject: 'change-requests/x' },
  ...{ message: 'CR #2 is merged', repairable: true, repaired: false },
}
const found = (...findings: object[]) => {
  let looks = 0
  api.routes['POST /v1/admin/checks'] = () => ({ status: 202, body: { run_id, state: 'running' } })
  api.routes[`GET /v1/admin/checks/${run_id}`] = () => {
    looks += 1
    const ended = looks > 1
    const times = { started_at: at, finished_at: ended ? at : null }
    return ok({ run_id, state: ended ? 'done' : 'running', findings: ended ? findings : [], ...times })
  }
}

test('a platform without a difference is exit 0', async () => {
  found()
  const { code, stdout, stderr } = await run(['doctor'])
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr).toContain('Nothing is wrong.')
  expect(bodyOf('POST')).toEqual({ repair: false })
})

test('findings are exit 1, as a table and as JSON', async () => {
  found(finding)
  const shown = await run(['doctor', '--project', projectId])
  expect(shown.code).toBe(1)
  expect(shown.stdout).toMatch(/cr_merged_missing\s+change-requests\/x\s+error, repairable\s+CR #2 is merged/)
  expect(bodyOf('POST')).toEqual({ repair: false, project_id: projectId })
  found(finding)
  const json = await run(['doctor', '--json'])
  expect([json.code, JSON.parse(json.stdout)]).toEqual([1, { findings: [finding] }])
})

test('a run that put everything right is exit 0', async () => {
  found({ ...finding, repaired: true })
  const { code, stdout } = await run(['doctor', '--repair'])
  expect(code).toBe(0)
  expect(stdout).toContain('repaired')
  expect(bodyOf('POST')).toEqual({ repair: true })
})

test('who does not run the platform is told of their own machine', async () => {
  api.routes['POST /v1/admin/checks'] = () => refusal(403, 'forbidden', 'Not a platform admin')
  const { code, stderr } = await run(['doctor'])
  expect(code).toBe(0)
  expect(stderr).toContain('for platform admins')
  api.routes['GET /v1/accounts/me'] = () => refusal(401, 'unauthorized', 'No such token')
  const refused = await run(['doctor', '--json'])
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout)).toMatchObject({ findings: [{ check: 'token', severity: 'error' }] })
})

test('some checks are run, and a run is shown', async () => {
  found(finding)
  const some = await run(['admin', 'checks', 'run', '--check', 'cr_merged_missing', '--json'])
  expect([some.code, JSON.parse(some.stdout)]).toEqual([1, { findings: [finding] }])
  expect(some.stderr).toContain(`svc admin checks show ${run_id}`)
  expect(bodyOf('POST')).toEqual({ repair: false, checks: ['cr_merged_missing'] })
  expect((await run(['admin', 'checks', 'run', '--check', 'nothing'])).code).toBe(2)
  const shown = await run(['admin', 'checks', 'show', run_id, '--json'])
  expect([shown.code, JSON.parse(shown.stdout)]).toMatchObject([0, { run_id, state: 'done' }])
})

test('a wait that is none is refused', async () => {
  const { code, stderr } = await run(['doctor'], { env: { SVC_API_WAIT_SECONDS: '121' } })
  expect(code).toBe(2)
  expect(stderr).toContain('SVC_API_WAIT_SECONDS must be a whole number from 0 to 120')
})
