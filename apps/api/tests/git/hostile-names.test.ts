import { randomUUID } from 'node:crypto'
import { access } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commit, testGit } from '@svc/git/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const { platform, newProject, ...world } = await openWorld()
let project: string
let git_dir: string
let refs: string

beforeAll(async () => {
  const project_id = await newProject()
  project = `/v1/projects/${project_id}`
  git_dir = (await platform.parts.repositories.open({ kind: 'managed', project_id })).git_dir
  await commit({ git_dir }, 'topic', { 'a.txt': 'a\n' }, 'Topic', { from: 'main' })
  expect(await ask('POST', '/change-requests', { title: 'x', head_ref: 'topic' })).toMatchObject({
    status: 201,
  })
  refs = await testGit(['for-each-ref'], { git_dir })
})

const ask = (method: string, path: string, json?: unknown) => world.ask(method, project + path, json)

const touched = join(tmpdir(), `svc-touched-${randomUUID()}`)

const hostile = [
  ['a leading -', '-x'],
  ['--upload-pack=…', `--upload-pack=touch ${touched}`],
  ['--output=…', `--output=${touched}`],
  ['ext::', `ext::sh -c touch% ${touched}`],
  ['a newline', 'main\n--all'],
  ['NUL', 'main\0x'],
  ['..', 'main..topic'],
  ['.. to a folder above', '../../../etc/passwd'],
  ['@{', 'main@{0}'],
  ['a revision', 'main~0'],
  ['a path in a commit', 'main:svc.yaml'],
] as const

describe.each(hostile)('%s', (_what, value) => {
  const query = encodeURIComponent(value)

  test.each([
    ['a head', () => ask('POST', '/change-requests', { title: 'x', head_ref: value })],
    ['a base', () => ask('POST', '/change-requests', { title: 'x', head_ref: 'topic', base_ref: value })],
    ['the base of a session', () => ask('POST', '/sessions', { base_ref: value })],
    ['the ref of a listing', () => ask('GET', `/files?ref=${query}`)],
    ['the ref of a file', () => ask('GET', `/files/content?path=svc.yaml&ref=${query}`)],
    ['the ref of a history', () => ask('GET', `/commits?ref=${query}`)],
    ['the cursor of a history', () => ask('GET', `/commits?cursor=${query}`)],
    ['an expected head', () => ask('POST', '/change-requests/1/merge', { expected_head_sha: value })],
    ['an expected base', () => ask('POST', '/change-requests/1/merge', { expected_base_sha: value })],
  ])('as %s is refused', async (_, request) => {
    const answer = await request()
    expect([400, 404, 422], answer.text).toContain(answer.status)
    await expect(access(touched)).rejects.toThrow()
    expect(await testGit(['for-each-ref'], { git_dir })).toBe(refs)
  })

  test.each([
    ['the path of a file', () => ask('GET', `/files/content?path=${query}`)],
    ['the path of a folder', () => ask('GET', `/files?path=${query}`)],
    ['the path of a diff', () => ask('GET', `/change-requests/1/diff?path=${query}`)],
  ])('as %s names nothing', async (_, request) => {
    const answer = await request()
    if (answer.status === 200) expect(answer.text).toMatch(/"(files|entries)":\[\]/)
    else expect([400, 404], answer.text).toContain(answer.status)
    await expect(access(touched)).rejects.toThrow()
  })

  test('as a title or a description is text, unless it holds NUL', async () => {
    const answer = await ask('PATCH', '/change-requests/1', { title: value, description: value })
    if (value.includes('\0')) expect(answer.status).toBe(400)
    else expect(answer).toMatchObject({ status: 200, body: { title: value, description: value } })
  })
})

test('NUL in the message of a merge is refused before anything is asked of git', async () => {
  expect(await ask('POST', '/change-requests/1/merge', { message: 'a\0b' })).toMatchObject({ status: 400 })
})
