import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openIdentity, signInEnv } from '../src/index.ts'

const world = await openWorld({ session_cap: 7 })
const envOf = (source: Readonly<Record<string, string>>) => z.object(signInEnv).parse(source)

test('what a process has stays, and its environment says how people sign in', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-identity-'))
  const { ctx, close } = await openIdentity(
    world.base,
    envOf({ SVC_MAIL_URL: pathToFileURL(folder).href, SVC_SIGN_UP: 'open', SVC_SSO_ADDRESSES: '10.0.0.0/8' }),
  )
  expect(ctx.db).toBe(world.base.db)
  expect(ctx.settings).toMatchObject({
    session_cap: 7,
    sign_up: 'open',
    issuer_addresses: ['10.0.0.0/8'],
  })
  await ctx.mail?.send({ to: 'ada@example.com', subject: 'Sign in', text: 'Your code is 1234 5678.' })
  expect(await readdir(folder)).toHaveLength(1)
  await close()
  await rm(folder, { recursive: true })
})

test('without settings no mail is sent, no other provider signs in, and only the invited sign up', async () => {
  const { ctx, close } = await openIdentity(world.base, envOf({}))
  expect(ctx).toMatchObject({ mail: undefined, sso: undefined, settings: { sign_up: 'invited' } })
  await close()
})

test('a file of providers that is not there is refused by its variable', async () => {
  await expect(openIdentity(world.base, envOf({ SVC_SSO_FILE: '/nonexistent.json' }))).rejects.toThrow(
    'SVC_SSO_FILE',
  )
})
