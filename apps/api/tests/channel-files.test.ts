import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { makeChannel } from './support/mutations/a-channel.ts'
import { openWorld } from './support/world.ts'

const { platform, api, account_id, newProject } = await openWorld()
const { db } = platform.parts
let path: string

beforeAll(async () => {
  const [project_id, slug] = [await newProject(), 'svc_chat_a']
  const place = { account_id, project_id, user_id: platform.owner.user_id }
  await makeChannel(platform.parts, { ...place, slug, delivery_id: randomUUID() })
  await db
    .updateTable('project_channels')
    .set({ conversations: JSON.stringify({ C1: {} }) })
    .where('project_id', '=', project_id)
    .execute()
  path = `/v1/projects/${project_id}/channels/${slug}/messages`
})

interface Part {
  readonly name: string
  readonly content: Uint8Array<ArrayBuffer>
}

async function send(
  message: string | null,
  files: readonly Part[],
  more: Readonly<Record<string, string>> = {},
) {
  const form = new FormData()
  if (message !== null) form.append('message', message)
  for (const { name, content } of files) form.append('file', new Blob([content]), name)
  for (const [name, value] of Object.entries(more)) form.append(name, value)
  const answer = await fetch(`${api.origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.owner.token}` },
    body: form,
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const file = (name: string, content: Uint8Array<ArrayBuffer> = new Uint8Array([0, 255, 13, 10])): Part => ({
  name,
  content,
})
const message = (more: object = {}) => JSON.stringify({ conversation: 'C1', text: 'see', ...more })

test('a message with files is one message and a file behind it for each, once for its key', async () => {
  const keyed = message({ idempotency_key: 'k' })
  const first = await send(keyed, [file('ä b.bin'), file('c.bin')])
  expect(first.status, JSON.stringify(first.body)).toBe(202)
  const again = await send(keyed, [file('ä b.bin'), file('c.bin')])
  expect(again.body['message_id']).toBe(first.body['message_id'])
  const rows = await db
    .selectFrom('channel_messages as m')
    .leftJoin('channel_files as f', 'f.message_id', 'm.message_id')
    .select(['m.kind', 'f.name', 'f.content'])
    .orderBy('m.position')
    .execute()
  expect(rows.map(({ kind, name, content }) => [kind, name, content === null ? null : [...content]])).toEqual(
    [
      ['notice', null, null],
      ['file', 'a_b.bin', [0, 255, 13, 10]],
      ['file', 'c.bin', [0, 255, 13, 10]],
    ],
  )
})

test('one of more than four megabytes is taken, and one of more than twenty is not', async () => {
  const mib = 1024 * 1024
  expect((await send(message(), [file('x', new Uint8Array(6 * mib))])).status).toBe(202)
  const large = await send(message(), [file('x', new Uint8Array(20 * mib + 1))])
  expect(large).toMatchObject({
    status: 413,
    body: {
      code: 'payload_too_large',
      message: 'x is larger than 20 MiB; send a smaller file, or a link to it',
    },
  })
})

test('a form that is none of a message with files is refused, and says why', async () => {
  expect(await send(null, [file('x')])).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(await send(message(), [])).toMatchObject({ status: 400 })
  expect(await send('{', [file('x')])).toMatchObject({ status: 400 })
  expect(await send(message({ thread_id: randomUUID() }), [file('x')])).toMatchObject({ status: 400 })
  expect(await send(message(), [file('x')], { other: '1' })).toMatchObject({ status: 400 })
  const eleven = Array.from({ length: 11 }, (_, index) => file(`${index}`))
  expect(await send(message(), eleven)).toMatchObject({ status: 400 })
  expect(await send(JSON.stringify({ text: 'no place' }), [file('x')])).toMatchObject({ status: 400 })
  const empty = await platform.call(path, { method: 'POST', token: platform.owner.token })
  expect(empty.status).toBe(400)
})
