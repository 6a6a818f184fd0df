import { randomBytes, randomUUID } from 'node:crypto'
import { createLogger } from '@svc/boot'
import { accounts, userCredentials } from '@svc/db'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { createVault } from '@svc/vault'
import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askForMagicLink, askForPasswordReset, signInWithPassword, signUp } from '../src/index.ts'
import { hashPassword } from '@svc/vault/password'
import type { SignInContext } from '../src/sign-in/context.ts'

let database: TestDatabase
const known = 'ada@example.com'

beforeAll(async () => {
  database = await testDatabase()
  const [user_id, created_at] = [randomUUID(), new Date()]
  await accounts.createWithOwner(
    database.db,
    { account_id: randomUUID(), name: 'Ada', tier: 'free', created_at },
    { user_id, email: known, name: 'Ada', created_at },
  )
  await userCredentials.setPassword(
    database.db,
    user_id,
    await hashPassword('correct horse battery'),
    created_at,
  )
})
afterAll(() => database.close())

/** The kinds of the statements that a verb sends to the database. */
async function workOf(verb: (ctx: SignInContext) => Promise<unknown>): Promise<string[]> {
  const kinds: string[] = []
  const count: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (!isAuditing(node)) kinds.push(node.kind)
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const ctx: SignInContext = {
    db: database.db.withPlugin(count),
    vault: createVault(randomBytes(32), { key_id: 'test' }),
    settings: {
      api_url: 'http://127.0.0.1:1/v1',
      llm_base_url: null,
      session_cap: null,
      idle_after_seconds: 900,
      trigger_idle_after_seconds: 300,
      ask_timeout_seconds: 1800,
      sign_up: 'open',
    },
    log: createLogger({ name: 'test', level: 'silent' }),
    now: () => new Date(),
    newId: () => randomUUID(),
    mail: { send: () => Promise.resolve(), close: () => Promise.resolve() },
  }
  await verb(ctx).catch((error: unknown) => kinds.push(String(error)))
  return kinds
}

/** The audit of a refusal is written after the answer. */
function isAuditing(node: RootOperationNode): boolean {
  return /account_members|audit_/.test(JSON.stringify(node))
}

const password = 'wrong horse battery'
test.each<[string, (ctx: SignInContext, email: string) => Promise<unknown>]>([
  ['a wrong password', (ctx, email) => signInWithPassword(ctx, { email, password, ip: null })],
  ['signing up', (ctx, email) => signUp(ctx, { email, password })],
  ['asking for a link', (ctx, email) => askForMagicLink(ctx, { email })],
  ['asking for a reset', (ctx, email) => askForPasswordReset(ctx, { email })],
])('%s costs the same work for an address that is known and for one of nobody', async (_, verb) => {
  const ofSomebody = await workOf((ctx) => verb(ctx, known))
  const ofNobody = await workOf((ctx) => verb(ctx, 'nobody@example.com'))
  expect(ofSomebody.length).toBeGreaterThan(2)
  expect(ofNobody).toEqual(ofSomebody)
})
