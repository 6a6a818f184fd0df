import { authenticate } from '@svc/context'
import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { ensureFirstAccount } from '../src/index.ts'

const world = await openWorld()
const whois = (token: string) => authenticate(world.base, token)

test('the first account is made once, and a lost token of it is replaced', async () => {
  const first = await ensureFirstAccount(world.base, null)
  expect(await whois(first.token)).toMatchObject({ type: 'user', user_id: first.user_id })
  expect(await ensureFirstAccount(world.base, first)).toEqual(first)
  const replaced = await ensureFirstAccount(world.base, { ...first, token: 'svc_pat_lost' })
  expect(replaced).toMatchObject({ account_id: first.account_id, user_id: first.user_id })
  expect(await whois(replaced.token)).toMatchObject({ user_id: first.user_id })
})
