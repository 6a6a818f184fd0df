import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { randomUUID } from 'node:crypto'
import { sessionEvents } from '@svc/db'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { serve } from './support/serve.ts'
import { openWorld } from './support/world.ts'

const { platform, api, ask, newProject } = await openWorld()
let base: string
let session_id: string

beforeAll(async () => {
  base = `/v1/projects/${await newProject()}/sessions`
  session_id = (await ask('POST', base, {})).pick('session_id')
})

const token = () => ({ token: platform.owner.token })

test('create answers with the record and asks for a sandbox', async () => {
  const created = await platform.call(base, { method: 'POST', ...token(), json: { name: 'first' } })
  expect(created).toMatchObject({ status: 201, body: { status: 'provisioning', name: 'first' } })
  expect(created.pick('branch_name')).toBe(created.pick('session_id'))
  const payload = { session_id: created.pick('session_id') }
  expect(platform.jobs).toContainEqual({ queue: 'session', name: 'sandbox.provision', payload })
})

test('a prompt is refused that no sandbox would take, as a first one too', async () => {
  // Fewer characters than the limit has bytes.
  const refusals = [
    ['€'.repeat(90_000), 'bytes of UTF-8'],
    [' \n', 'must not be blank'],
  ] as const
  for (const [text, words] of refusals) {
    const first = await platform.call(base, { method: 'POST', ...token(), json: { initial_prompt: text } })
    const later = { method: 'POST', ...token(), json: { text } }
    const answers = [first, await platform.call(`${base}/${session_id}/prompts`, later)]
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(words) } })
  }
})

test('the same Idempotency-Key answers with the same session', async () => {
  const options = {
    method: 'POST',
    ...token(),
    json: { name: 'once' },
    headers: { 'idempotency-key': randomUUID() },
  }
  const [first, second] = [await platform.call(base, options), await platform.call(base, options)]
  expect(second.pick('session_id')).toBe(first.pick('session_id'))
  const bad = await platform.call(base, { ...options, headers: { 'idempotency-key': 'a b' } })
  expect(bad).toMatchObject({ status: 400, body: { code: 'INVALID_IDEMPOTENCY_KEY' } })
})

test('Prefer: respond-async answers 202 with the command', async () => {
  const headers = { prefer: 'wait=5, respond-async' }
  const queued = await platform.call(base, { method: 'POST', ...token(), json: {}, headers })
  expect(queued).toMatchObject({
    status: 202,
    body: { status: 'queued', command_id: expect.any(String), reason: expect.any(String) },
  })
  expect(queued.body).not.toHaveProperty('kind')
})

test('the list pages by header and answers 304 while nothing changed', async () => {
  const page = await platform.call(`${base}?limit=1`, token())
  expect(page.status).toBe(200)
  expect(page.body).toHaveLength(1)
  expect(page.headers.get('cache-control')).toBe('private, no-cache')
  const cursor = page.headers.get('x-next-cursor') ?? ''
  const next = await platform.call(`${base}?limit=1&cursor=${encodeURIComponent(cursor)}`, token())
  expect(next.body).toHaveLength(1)
  expect(next.body).not.toEqual(page.body)
  const headers = { 'if-none-match': page.headers.get('etag') ?? '' }
  expect(await platform.call(`${base}?limit=1`, { ...token(), headers })).toMatchObject({
    status: 304,
    text: '',
  })
})

test('each thing that is shown of a session is in the ETag, and what is not shown leaves it', async () => {
  const { db } = platform.parts
  const session = await platform.call(`${base}/${session_id}`, token())
  const shownElsewhere: Readonly<Record<string, string>> = {
    ...{ error: 'failure', sandbox_id: 'session_id', sandbox_provider: 'provider', runtime_status: 'status' },
    runtime_url: 'external_id',
  }
  // The usage is no column: the page has it in its ETag by itself. The harness is that of the session's creation.
  const isWatched = (key: string) => !['usage', 'harness', 'harness_version'].includes(key)
  const shown = Object.keys(z.record(z.string(), z.unknown()).parse(session.body))
    .filter(isWatched)
    .map((key) => shownElsewhere[key] ?? key)
  const { rows } = await sql<{
    definition: string
  }>`select pg_get_triggerdef(oid) as definition from pg_trigger
    where tgname in ('project_sessions_shown_revision', 'session_sandboxes_shown_revision')`.execute(db)
  const watched = rows.flatMap(({ definition }) =>
    [...definition.matchAll(/\bnew\.(\w+)/g)].map(([, name]) => name),
  )
  expect(watched).toEqual(expect.arrayContaining([...shown, 'status', 'error', 'deleted_at']))

  const etag = async () => (await platform.call(base, token())).headers.get('etag')
  const before = await etag()
  await db
    .updateTable('project_sessions')
    .set({ wakes_after_exit: 3 })
    .where('session_id', '=', session_id)
    .execute()
  expect(await etag()).toBe(before)
  const seen = [before]
  for (const name of ['a', 'b', 'a']) {
    await db.updateTable('project_sessions').set({ name }).where('session_id', '=', session_id).execute()
    seen.push(await etag())
  }
  for (const error of ['it is gone', null]) {
    await db.updateTable('session_sandboxes').set({ error }).where('session_id', '=', session_id).execute()
    seen.push(await etag())
  }
  expect(new Set(seen).size).toBe(6)
})

test('events are a JSON page', async () => {
  const page = await platform.call(`${base}/${session_id}/events`, token())
  expect(page).toMatchObject({ status: 200, body: { events: [{ seq: 1, type: 'status' }], last_seq: 1 } })
})

async function follow(path: string, headers: Record<string, string> = {}) {
  const outgoing = request(api.origin + path, {
    headers: { authorization: `Bearer ${platform.owner.token}`, accept: 'text/event-stream', ...headers },
  }).end()
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
  if (!incoming) throw new Error('no response')
  let text = ''
  incoming
    .setEncoding('utf8')
    .on('data', (chunk: string) => (text += chunk))
    .on('error', () => undefined)
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text)) await once(incoming, 'data')
    return text
  }
  return { incoming, until, leave: () => outgoing.destroy() }
}

const note = (message: string) =>
  sessionEvents.append(platform.parts.db, session_id, [
    { type: 'error', at: new Date(), payload: { message } },
  ])

test('events stream as they happen and resume after the last one that was seen', async () => {
  const path = `${base}/${session_id}/events`
  const stream = await follow(path)
  expect(stream.incoming.headers['content-type']).toContain('text/event-stream')
  await stream.until(/: heartbeat\n\n/)
  await stream.until(/id: 1\n/)
  await note('happened')
  const text = await stream.until(/happened/)
  expect(text).toMatch(/event: error\ndata: .*"message":"happened".*\nid: 2\n\n/)
  stream.leave()

  await note('later')
  const resumed = await follow(`${path}?after=0`, { 'last-event-id': '2' })
  expect(await resumed.until(/later/)).not.toContain('happened')
  resumed.leave()
})

test('a stream that may not be read is refused before it begins', async () => {
  const other = await platform.stranger()
  const answer = await platform.call(`${base}/${session_id}/events`, {
    ...other,
    headers: { accept: 'text/event-stream' },
  })
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('a server that closes ends its streams', async () => {
  const own = await serve(platform)
  const outgoing = request(`${own.origin}${base}/${session_id}/events`, {
    headers: { authorization: `Bearer ${platform.owner.token}`, accept: 'text/event-stream' },
  }).end()
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
  const ended = incoming ? once(incoming.resume(), 'close') : null
  await own.close()
  await ended
  expect(incoming?.complete).toBe(true)
})
