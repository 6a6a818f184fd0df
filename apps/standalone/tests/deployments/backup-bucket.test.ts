import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { openTestBucket, type TestBucket } from '@svc/objects/testing'
import type { Project } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../support/clients/git.ts'
import { svc } from '../support/clients/svc.ts'
import { builtEntry } from '../support/platform/apps.ts'
import { makeBegunPlace, type Place, type Platform, startOn } from '../support/platform/platform.ts'
import { run } from '../support/platform/run.ts'
import { bash, startSession } from '../support/sessions/agent.ts'
import { piProject } from '../support/sessions/pi-project.ts'

let place: Place
let bucket: TestBucket
let platform: Platform
let project: Project
/** The address of the backup that was taken. */
let backup: string

beforeAll(async () => {
  ;[place, bucket] = await Promise.all([makeBegunPlace(), openTestBucket()])
  platform = await startOn(place)
  const agent = '{ svc_cli: all, secrets: all }'
  project = await piProject(platform.client, platform.token, 'In a bucket', agent)
  await platform.client.projects.secrets.set(project.project_id, 'MY_SECRET', 'kept')
})
afterAll(async () => {
  if (platform && !platform.child.ended) await platform.stop()
  await bucket?.close()
  await place?.remove()
})

const selfHost = (args: readonly string[], access_key = bucket.keys.access_key) =>
  run(process.execPath, [builtEntry('cli'), 'self-host', ...args], {
    env: {
      ...place.env,
      NO_COLOR: '1',
      SVC_OBJECT_STORE_ACCESS_KEY: access_key,
      SVC_OBJECT_STORE_SECRET_KEY: bucket.keys.secret_key,
    },
  })

test('a bucket whose keys are wrong is named, and nothing is said to be saved', async () => {
  const { code, stdout, stderr } = await selfHost(
    ['backup', '--to', bucket.place('backups')],
    randomBytes(8).toString('hex'),
  )
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('backup: ')
  expect(stderr).not.toContain('    at ')
})

test('a backup goes into a bucket, beside a platform that runs', async () => {
  const { code, stdout, stderr } = await selfHost(['backup', '--to', bucket.place('backups'), '--json'])
  expect(code, stderr).toBe(0)
  backup = bucket.place(`backups/${JSON.parse(stdout).name}`)
  // The next one finds it there, and copies what did not change.
  expect((await selfHost(['backup', '--to', bucket.place('backups')])).code).toBe(0)
})

test('it is not restored without its key, unless that is said to be lost', async () => {
  await platform.stop()
  await rm(place.data_dir, { recursive: true })
  await rm(place.config_file)
  const refused = await selfHost(['restore', '--from', backup])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/Key k-[0-9a-f]{12} is needed.*restore with --without-secrets/)
  const { code, stdout, stderr } = await selfHost([
    'restore',
    ...['--from', backup, '--without-secrets', '--resume'],
  ])
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('All that the lost master key sealed is gone')
  expect(stdout).toContain('The platform is open.')
})

test('a platform without its old secrets has everything else, and takes new ones', async () => {
  platform = await startOn(place)
  const { client, token } = platform
  const { project_id } = project
  expect((await client.projects.list()).map(({ name }) => name)).toEqual(['In a bucket'])
  const [head = ''] = (await git(['ls-remote', project.repo_url, 'refs/heads/main'], { token })).split('\t')
  expect(head).toMatch(/^[0-9a-f]{40}$/)
  const doctor = await svc(platform, ['doctor'])
  expect(doctor.code, doctor.stdout).toBe(0)
  await client.projects.secrets.set(project_id, 'MY_SECRET', 'new')
  const { turn } = await startSession(client, project_id, [bash('echo "[$MY_SECRET]"')])
  expect(turn.outputs[0]).toContain('[new]')
})
