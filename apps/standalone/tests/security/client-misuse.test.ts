import { randomUUID } from 'node:crypto'
import type { Project } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { svc } from '../support/clients/svc.ts'

let platform: Platform
let project: Project

beforeAll(async () => {
  platform = await startPlatform()
  project = await platform.client.projects.provision({ name: 'Misuse' })
})
afterAll(() => platform?.stop())

test.each([
  [['--nonsense']],
  [['cr', 'mrege', '1']],
  [['cr', 'merge']],
  [['cr', 'ls', '--status', 'unknown']],
  [['sessions', 'chat', '--promt', 'x']],
  [['projcts', 'ls']],
])('%j is a misuse that is explained', async (args) => {
  const result = await svc(platform, args, { project_id: project.project_id })
  expect(result, result.stderr).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).not.toBe('')
  expect(result.stderr).not.toContain('    at ')
})

test.each([
  ['an unknown change request', ['cr', 'show', '999'], {}],
  ['an unknown project', ['cr', 'ls', '--project', randomUUID()], {}],
  ['no project at all', ['cr', 'ls'], { SVC_PROJECT_ID: '' }],
  ['a wrong token', ['projects', 'ls'], { SVC_CLI_TOKEN: 'svc_pat_wrong' }],
  [
    'an address where nothing is',
    ['projects', 'ls'],
    { SVC_CLI_TOKEN: 'svc_pat_x', SVC_API_URL: 'http://127.0.0.1:9/v1' },
  ],
])('%s fails with a reason', async (_, args, env) => {
  const result = await svc(platform, args, { project_id: project.project_id, env })
  expect(result, result.stderr).toMatchObject({ code: 1 })
  expect(result.stderr).toMatch(/\w/)
  expect(result.stderr).not.toContain('    at ')
})
