import { writeCommit } from '@svc/git'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fill, operations, validBodies } from './support/operations.ts'
import { type TestPlatform, testPlatform } from './support/platform.ts'

let platform: TestPlatform
let project_id: string
let session_id: string

beforeAll(async () => {
  platform = await testPlatform()
  const options = { method: 'POST', token: platform.owner.token }
  project_id = (await platform.call('/v1/projects/provision', { ...options, json: { name: 'x' } })).pick(
    'project_id',
  )
  session_id = (await platform.call(`/v1/projects/${project_id}/sessions`, { ...options, json: {} })).pick(
    'session_id',
  )
  await openChangeRequest()
})
afterAll(() => platform.close())

/** Change request number 1, on a branch with a commit of its own. */
async function openChangeRequest(): Promise<void> {
  const repository = await platform.parts.repositories.open({ kind: 'managed', project_id })
  const base = await platform.call(`/v1/projects/${project_id}/branches`, { token: platform.owner.token })
  const parent_sha = base.pick('branches.0.sha')
  const commit_sha = await writeCommit(repository, {
    parent_sha,
    changes: [{ path: 'x.txt', content: 'x' }],
    message: 'x',
    committed_at: new Date(),
  })
  await repository.runner.run(['update-ref', 'refs/heads/topic', commit_sha], { git_dir: repository.git_dir })
  const json = { title: 'x', head_ref: 'topic' }
  const opened = await platform.call(`/v1/projects/${project_id}/change-requests`, {
    method: 'POST',
    token: platform.owner.token,
    json,
  })
  expect(opened).toMatchObject({ status: 201, body: { number: 1 } })
}

const oddValues: readonly unknown[] = [
  null,
  '',
  '\0',
  'x\0',
  '-x',
  '--upload-pack=x',
  '../..',
  'a'.repeat(70_000),
  -1,
  1e308,
  [],
  {},
  [null],
  '\ud800',
]
const oddBodies: readonly unknown[] = [null, [], 'text', 1, true, {}, { __proto__: null, constructor: 1 }]
const oddQuery = [
  'limit=0',
  'limit=1e9',
  'limit=-1',
  'cursor=x',
  'cursor=e30.AAAA',
  'status=x',
  'after=-1',
  'ref=%00',
  'ref=-x',
  'ref=..',
  'path=%00',
  'path=..%2f..',
  'q=%27%25',
  'label=%F0',
  'origin_session_id=x',
]

/** These end what the others need, or wait for a worker that does not run here. */
const elsewhere = new Set([
  'archiveProject',
  'deleteSession',
  'revokeToken',
  'mergeChangeRequest',
  'startSession',
  'createTrigger',
  'updateTrigger',
  'deleteTrigger',
])

describe.each(operations.filter(({ name }) => !elsewhere.has(name)))(
  '$method $path',
  ({ name, method, path, has_body }) => {
    const options = { method }
    const target = () => fill(path, project_id, path.includes('{cr_id}') ? '1' : session_id)
    const ask = async (url: string, json?: unknown) => {
      const answer = await platform.call(url, {
        ...options,
        token: platform.owner.token,
        ...(json === undefined ? {} : { json }),
      })
      expect(answer.status, `${url} ${JSON.stringify(json)?.slice(0, 200)}\n${answer.text}`).toBeLessThan(500)
      if (answer.status >= 400)
        expect(answer.body).toMatchObject({
          error: expect.anything(),
          status: answer.status,
          message: expect.any(String),
        })
    }

    test('odd queries are refused or ignored', async () => {
      for (const query of oddQuery)
        await ask(`${target()}?${query}`, has_body ? (validBodies[name] ?? {}) : undefined)
    })

    if (has_body)
      test('odd bodies are refused or ignored', async () => {
        for (const body of oddBodies) await ask(target(), body)
        const valid = validBodies[name] ?? {}
        const keys = [
          ...Object.keys(valid),
          'session_id',
          'base_ref',
          'head_ref',
          'name',
          'metadata',
          'labels',
          'secrets',
          'title',
          'message',
        ]
        for (const key of keys) for (const value of oddValues) await ask(target(), { ...valid, [key]: value })
      })
  },
)
