import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { projectId } from './support/records.ts'
import { ok, refusal } from './support/stub-api.ts'

const base = `/v1/projects/${projectId}/apps`
const { api, run, bodyOf } = await openWorld()
const at = '2026-11-27T00:00:00.000Z'
const sha = 'cba0290da1d5'.padEnd(40, '0')
const summary = {
  release_id: projectId,
  number: 2,
  status: 'ready',
  commit_sha: sha,
  created_by: null,
  created_at: at,
  failure: null,
}
const app = {
  ...{ app_id: projectId, project_id: projectId, account_id: projectId, name: 'site', type: 'static' },
  ...{ declared: true, desired: 'serving', state: 'serving', url: 'http://site--shop.localhost:7703' },
  ...{ access_mode: 'private', viewers: [], policy_revision: 1, max_concurrency: 100, preview_secrets: [] },
  ...{ current_release: summary, latest_release: summary, instance: null, budget: null },
  ...{ created_at: at, updated_at: at },
}
const release = {
  ...{ ...summary, app_id: projectId, app: 'site', channel: 'production', cr_id: null, url: app.url },
  ...{
    source: 'manual',
    config: { type: 'static', folder: 'site', spa: false },
    secrets: [],
    withheld_secrets: [],
  },
  ...{ provider: 'files', artifact: { kind: 'files', digest: 'x', bytes: 1, files: 3 }, current: true },
  ...{ superseded_by: null, issues: [], started_at: at, finished_at: at },
}
const failure = {
  step: 'building',
  category: 'config',
  message: 'There is no folder "sit"',
  retryable: false,
}

describe('svc apps', () => {
  it('lists apps with their addresses, and entries that cannot be read', async () => {
    const errors = [{ name: 'api', path: 'apps.api.port', message: 'must be a number' }]
    api.routes[`GET ${base}`] = () =>
      ok({ apps: [app], provider: { name: 'files', processes: false, images: false }, errors })
    const { stdout, stderr } = await run(['apps', 'ls'])
    expect(stdout).toMatch(/site\s+serving\s+2 of cba0290da1d5\s+private\s+http:\/\/site--shop/)
    expect(stderr).toContain('svc.yaml: apps.api.port: must be a number')
  })

  it('says what an app shows, and why its newest release failed', async () => {
    api.routes[`GET ${base}/site`] = () =>
      ok({ app: { ...app, latest_release: { ...summary, number: 3, status: 'failed', failure } } })
    api.routes[`GET ${base}/site/releases`] = () => ok({ releases: [release] })
    const { stdout } = await run(['apps', 'show', 'site'])
    expect(stdout).toContain('serving; release 3 failed')
    expect(stdout).toContain('There is no folder "sit"')
    expect(stdout).toMatch(/2\s+ready, shown\s+cba0290da1d5\s+production\s+3/)
  })

  it('makes a release, and fails with it', async () => {
    api.routes[`POST ${base}/site/releases`] = () =>
      ok({ release: { ...release, status: 'failed', failure } })
    const { code, stdout } = await run(['apps', 'release', 'site', '--ref', 'main', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', failure })
    expect(bodyOf('POST')).toEqual({ ref: 'main' })
    expect((await run(['apps', 'release', 'site', '--no-wait'])).code).toBe(0)
  })

  it('goes back from what is shown', async () => {
    const rollout = { rollout_id: projectId, app: 'site', kind: 'rollback', from_number: 2, to_number: 1 }
    const ended = {
      ...rollout,
      status: 'drained',
      error: null,
      created_at: at,
      switched_at: at,
      finished_at: at,
    }
    api.routes[`GET ${base}/site`] = () => ok({ app })
    api.routes[`POST ${base}/site/rollback`] = () =>
      ok({ rollout: { ...ended, status: 'pending', finished_at: null } })
    api.routes[`GET ${base}/site/rollouts`] = () => ok({ rollouts: [ended] })
    const { stderr } = await run(['apps', 'rollback', 'site', '--to', '1'])
    expect(stderr).toContain('site shows release 1.')
    expect(bodyOf('POST')).toEqual({ number: 1, expected_current: 2 })
  })

  it('prints a link that opens once', async () => {
    api.routes[`GET ${base}/site`] = () => ok({ app })
    api.routes['POST /v1/apps/enter'] = () =>
      ok({ url: `${app.url}/.svc/enter?code=x`, token: 't', expires_at: at })
    const { stdout } = await run(['apps', 'open', 'site', '--print'])
    expect(stdout.trim()).toBe(`${app.url}/.svc/enter?code=x`)
  })

  it('never takes a password as an argument', async () => {
    const { code, stderr } = await run(['apps', 'access', 'site', 'password', '--password', 'secret'])
    expect(code).toBe(2)
    expect(stderr).toContain('can be seen by others')
  })

  it('tells that apps are switched off', async () => {
    api.routes[`GET ${base}`] = () => refusal(403, 'feature_disabled', 'The feature apps is switched off')
    expect((await run(['apps', 'ls'])).stderr).toContain('switched off')
  })
})

const judged = {
  name: 'api',
  action: 'create',
  deployable: false,
  issues: [
    { path: 'apps.api.type', message: 'bundle needs a provider that runs programs', severity: 'error' },
  ],
}

it('svc validate says what the platform of a linked project cannot make, and fails for it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-validate-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(
    join(folder, 'svc.yaml'),
    'svc_version: 2\ndefault_agent: a\nagents: { a: {} }\napps:\n  api: { type: bundle }\n',
  )
  api.routes[`POST ${base}/check`] = () => ok({ provider: {}, apps: [judged] })
  const { code, stdout } = await run(['validate', folder])
  expect(code).toBe(1)
  expect(stdout).toContain('this platform: apps.api.type: bundle needs a provider')
  const json = JSON.parse((await run(['validate', folder, '--json'])).stdout)
  expect(json).toMatchObject({ valid: true, apps: [judged] })
  // The verdict of the file itself needs no platform.
  delete api.routes[`POST ${base}/check`]
  expect((await run(['validate', folder])).code).toBe(0)
})
