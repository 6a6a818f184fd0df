import { beforeAll, expect, test } from 'vitest'
import { hexOf, hookedProject, hookSecret } from '../support/webhooks.ts'
import { openWorld } from '../support/world.ts'

const next = 'what the sender will know'
const body = '{"a":{"b":1}}'

const { platform, ...world } = await openWorld()
let base: string
beforeAll(async () => {
  base = `/v1/projects/${await hookedProject(platform, { hook: {}, picky: { filter: { 'body.keep': 'yes' } } })}`
})

const ask = (path: string, method = 'GET', json?: unknown) => world.ask(method, base + path, json)

async function setSecret(name: string, value: string | null): Promise<void> {
  const path = `/secrets/${name}`
  const answer = value === null ? await ask(path, 'DELETE') : await ask(path, 'PUT', { value })
  expect(answer.status, answer.text).toBeLessThan(300)
}

const send = (delivery: string, secret: string, slug = 'hook') =>
  platform.call(`${base.replace('/v1/', '/v1/webhooks/')}/${slug}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-delivery': delivery,
      'x-svc-signature': hexOf(Buffer.from(body), secret),
    },
    body,
  })

/** The receipt of the newest delivery of that id, or of the newest one that was refused. */
async function receiptOf(delivery_id: string | null, slug = 'hook'): Promise<string> {
  const { deliveries } = Object((await ask(`/triggers/${slug}/deliveries`)).body)
  const rows: readonly { receipt_id: string; delivery_id: string | null }[] = deliveries
  return rows.find((row) => row.delivery_id === delivery_id)?.receipt_id ?? ''
}

const redeliver = (receipt_id: string, slug = 'hook') =>
  ask(`/triggers/${slug}/deliveries/${receipt_id}/redeliver`, 'POST')

test('while two secrets are live, what came with either is fired again, and so it is when both are gone', async () => {
  await setSecret('HOOK_SECRET_PREVIOUS', hookSecret)
  await setSecret('HOOK_SECRET', next)
  const sent: Readonly<Record<string, string>> = { old: hookSecret, new: next }
  for (const [delivery, secret] of Object.entries(sent))
    expect(await send(delivery, secret)).toMatchObject({ status: 202, body: { status: 'fired' } })
  expect(await send('neither', 'another')).toMatchObject({ status: 401 })

  const again = async () => {
    for (const delivery of Object.keys(sent)) {
      const receipt = await receiptOf(delivery)
      const answer = await redeliver(receipt)
      expect(answer, answer.text).toMatchObject({ status: 202, body: { status: 'fired' } })
      expect(answer.pick('session_id')).toMatch(/^[0-9a-f-]{36}$/)
      const [newest] = Object((await ask('/triggers/hook/deliveries?limit=1')).body).deliveries
      expect(newest).toMatchObject({ delivery_id: delivery, redelivery_of: receipt, verdict: 'accepted' })
    }
  }
  await again()
  // Its sender was believed when it came: it is a person who fires it now.
  await setSecret('HOOK_SECRET_PREVIOUS', null)
  expect(await send('late', hookSecret)).toMatchObject({ status: 401 })
  await again()
  await setSecret('HOOK_SECRET', 'a third')
  await again()
})

test('what was refused, what the filter leaves out, and what is not there, are answered in words', async () => {
  expect(await send('refused', 'another')).toMatchObject({ status: 401 })
  expect(await redeliver(await receiptOf(null))).toMatchObject({ status: 409, body: { status: 409 } })
  expect(await redeliver('00000000-0000-4000-8000-000000000000')).toMatchObject({ status: 404 })
  expect(await redeliver('x')).toMatchObject({ status: 400 })
  await setSecret('HOOK_SECRET', hookSecret)
  expect(await send('unwanted', hookSecret, 'picky')).toMatchObject({
    status: 200,
    body: { status: 'skipped', reason: 'filter' },
  })
  expect(await redeliver(await receiptOf('unwanted', 'picky'), 'picky')).toMatchObject({
    status: 202,
    body: { status: 'skipped', reason: 'filter' },
  })
  const stranger = await platform.stranger()
  const path = `${base}/triggers/hook/deliveries/${await receiptOf('old')}/redeliver`
  expect(await platform.call(path, { method: 'POST', token: stranger.token })).toMatchObject({ status: 404 })
})
