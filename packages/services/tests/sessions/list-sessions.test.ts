import { expect, test } from 'vitest'
import { deleteSession, listSessions, updateSession } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, ctx } = project
const list = async (more: object = {}) => {
  const page = await listSessions(ctx, { project_id, limit: 50, ...more })
  if (page.kind !== 'page') throw new Error(page.kind)
  return page
}
const keys: { readonly project_id: string; readonly session_id: string }[] = []
for (let index = 0; index < 7; index += 1) {
  // Some are of the same instant.
  if (index % 2 === 0) world.clock.advance(10)
  const session = await newSession(world, project, {
    name: `Name ${index}%`,
    labels: index < 2 ? ['early'] : [],
  })
  keys.push(session.key)
}

test('newest first, page by page, each once', async () => {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await list({ limit: 3, cursor })
    seen.push(...page.sessions.map((session) => session.session_id))
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  expect(new Set(seen)).toEqual(new Set(keys.map((key) => key.session_id)))
  expect(seen).toHaveLength(7)
  const { sessions } = await list()
  expect(sessions.map((session) => session.session_id)).toEqual(seen)
  expect(sessions[0]?.name).toBe('Name 6%')
})

test.each(['made-up', '', 'e30.x', 'a.b.c'])('%j is no cursor', async (cursor) => {
  await expect(list({ cursor })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('a cursor of another list is none of this one', async () => {
  const text = Buffer.from('{"below_number":3}').toString('base64url')
  await expect(list({ cursor: `${text}.AAAAAAAA` })).rejects.toMatchObject({ code: 'invalid_request' })
})

test.each([
  [{ label: 'early' }, 2],
  [{ label: 'none' }, 0],
  [{ status: 'provisioning' }, 7],
  [{ status: 'running' }, 0],
  [{ origin: 'user' }, 7],
  [{ origin: 'trigger' }, 0],
  [{ q: 'name 3' }, 1],
  [{ q: '%' }, 7],
  [{ q: '_ame' }, 0],
])('%j finds %i', async (filter, count) => {
  expect((await list(filter)).sessions).toHaveLength(count)
})

test('the beginning of an id finds it', async () => {
  const id = keys[4]?.session_id ?? ''
  const { sessions } = await list({ q: id.slice(0, 13).toUpperCase() })
  expect(sessions.map((session) => session.session_id)).toEqual([id])
})

test('the ETag stands for what was answered, and for nothing else', async () => {
  const { etag } = await list()
  const ask = (if_none_match: string) => listSessions(ctx, { project_id, limit: 50, if_none_match })
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
  expect(await ask(etag)).toEqual({ kind: 'unchanged', etag })
  expect(await ask(`"other", ${etag}`)).toEqual({ kind: 'unchanged', etag })
  const [first, second] = keys
  if (!first || !second) throw new Error('no sessions')
  // The clock stands still: the ETag must not depend on it.
  await updateSession(ctx, { ...first, name: 'Renamed' })
  const renamed = await ask(etag)
  expect(renamed.kind).toBe('page')
  expect(renamed.etag).not.toBe(etag)
  await deleteSession(ctx, second)
  expect((await ask(renamed.etag)).kind).toBe('page')
  expect((await list()).sessions).toHaveLength(6)
})

test('an edit touches what it names', async () => {
  const key = keys[5] ?? keys[0]
  if (!key) throw new Error('no sessions')
  const before = await updateSession(ctx, { ...key, labels: ['x'], metadata: { a: 1 } })
  expect(before).toMatchObject({ labels: ['x'], metadata: { a: 1 }, name: 'Name 5%' })
  expect(await updateSession(ctx, { ...key, name: null })).toMatchObject({ labels: ['x'], name: null })
})
