import { createHmac, randomUUID } from 'node:crypto'
import { notifications } from '@svc/db'
import { notificationKinds } from '@svc/facts'
import { expect, test } from 'vitest'
import { notificationKeysPlace } from '@svc/services'
import { openWorld } from '../support/world.ts'

const { platform, api, ask, newProject, token, account_id } = await openWorld()
const { user_id } = platform.owner
const { db, vault } = platform.parts

async function notify(title: string): Promise<string> {
  const notification_id = randomUUID()
  await notifications.insert(db, [
    {
      ...{ notification_id, user_id, account_id, project_id: null, session_id: null, kind: 'budget_alert' },
      ...{ event_id: `evt_${randomUUID()}`, subject: null, title, text: 'Is spent', path: '/projects' },
      ...{
        in_app: true,
        created_at: new Date(),
        read_at: null,
        mailed_at: null,
        digest_id: null,
        push_at: null,
      },
    },
  ])
  return notification_id
}

test('a person lists what they were told, reads it, and a stranger sees nothing of it', async () => {
  const notification_id = await notify('Night')
  const listed = await ask('GET', '/v1/notifications?unread=true')
  expect(listed.body).toMatchObject({
    notifications: [{ notification_id, title: 'Night', path: '/projects', read_at: null }],
    unread_count: 1,
    next_cursor: null,
  })
  const stranger = await platform.stranger()
  const theirs = await platform.call('/v1/notifications', { token: stranger.token })
  expect(theirs.body).toMatchObject({ notifications: [], unread_count: 0 })
  const read = (json: object) => platform.call('/v1/notifications/read', { token, method: 'POST', json })
  for (const wrong of [{}, { ids: [] }, { all: false }, { all: true, ids: [notification_id] }])
    expect(await read(wrong)).toMatchObject({ status: 400 })
  expect((await read({})).body).toMatchObject({ message: expect.stringContaining('{ ids }') })
  expect(await read({ ids: [notification_id] })).toMatchObject({ status: 200, body: { read: 1 } })
  expect((await ask('GET', '/v1/notifications?unread=true')).body).toMatchObject({ notifications: [] })
})

test('settings change by what is given, and a kind or way that is none is refused by its name', async () => {
  const patch = (kinds: object) =>
    platform.call('/v1/notifications/settings', { token, method: 'PATCH', json: { kinds } })
  expect(await patch({ cr_merged: { email: true } })).toMatchObject({
    status: 200,
    body: { kinds: { cr_merged: { in_app: true, email: true, push: false }, cr_opened: { email: false } } },
  })
  expect(await patch({ weather: { email: true } })).toMatchObject({ status: 400 })
  expect(await patch({ cr_merged: { pigeon: true } })).toMatchObject({ status: 400 })
})

test('the link of a mail shows a page with a button; only the button ends the mails', async () => {
  // As the worker signs it.
  await ask('GET', '/v1/notifications/push-key')
  const row = await notifications.findKeys(db)
  const key = vault.openDataKey(row?.sealed_key ?? '', notificationKeysPlace)
  const keys = JSON.parse(vault.open(key, [...notificationKeysPlace, 'keys'], row?.sealed_value ?? ''))
  const person = user_id.replaceAll('-', '')
  const signed = createHmac('sha256', keys.unsubscribe_key)
    .update(`unsubscribe ${person}`)
    .digest('base64url')
  const address = `${api.origin}/v1/notifications/unsubscribe?token=${person}.${signed}`
  const page = await fetch(address)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(await page.text()).toContain('<form method="post">')
  const mails = async () => {
    const { kinds } = (await ask('GET', '/v1/notifications/settings')).body as {
      kinds: Record<string, { email: boolean }>
    }
    return notificationKinds.filter((kind) => kinds[kind]?.email)
  }
  expect(await mails()).not.toEqual([])
  // As a reader of mail does it (RFC 8058).
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (url: string) => fetch(url, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' })
  expect((await post(`${address}x`)).status).toBe(404)
  expect(await mails()).not.toEqual([])
  expect((await post(address)).status).toBe(200)
  expect(await mails()).toEqual([])
})

test('a project is watched as its person wishes', async () => {
  const project_id = await newProject('Watched')
  const path = `/v1/projects/${project_id}/watch`
  expect((await ask('GET', path)).body).toEqual({ project_id, level: 'mine' })
  expect((await ask('PUT', path, { level: 'all' })).body).toEqual({ project_id, level: 'all' })
  expect((await ask('GET', path)).body).toEqual({ project_id, level: 'all' })
})

test('a notification is heard at once by the person whose it is, and by no other', async () => {
  const stranger = await platform.stranger()
  const listen = async (who: string) => {
    const end = new AbortController()
    const answer = await fetch(`${api.origin}/v1/changes`, {
      headers: { authorization: `Bearer ${who}` },
      signal: end.signal,
    })
    const parts: string[] = []
    const done = (async () => {
      const decoder = new TextDecoder()
      for await (const chunk of answer.body ?? []) parts.push(decoder.decode(chunk))
    })().catch(() => {})
    return { text: () => parts.join(''), stop: async () => (end.abort(), done) }
  }
  const [mine, foreign] = await Promise.all([listen(token), listen(stranger.token)])
  // The last one says that the platform listens to both channels by now.
  await expect.poll(() => mine.text().match(/event: hello/g)?.length).toBeGreaterThanOrEqual(2)
  await notify('Once more')
  const event = JSON.stringify({ type: 'changed', kind: 'notification', project_id: null, id: user_id })
  await expect.poll(mine.text).toContain(event)
  expect(foreign.text()).not.toContain('notification')
  await Promise.all([mine.stop(), foreign.stop()])
})
