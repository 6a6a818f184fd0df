import { randomUUID } from 'node:crypto'
import { pick, type TestPlatform } from './platform.ts'
import { openWorld } from './world.ts'

export const core = 'urn:ietf:params:scim:schemas:core:2.0'
export const userSchema = `${core}:User`
export const groupSchema = `${core}:Group`
export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const messages = 'urn:ietf:params:scim:api:messages:2.0'

export const off = { op: 'replace', path: 'active', value: false }
export const on = { op: 'replace', path: 'active', value: true }

export interface ScimAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  readonly text: string
  pick(path: string): string
}

export interface AskOptions {
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly account_id?: string
  /** Instead of a body of JSON. */
  readonly raw?: string
}

/** The platform on a socket with a directory that is connected to the first account, for one test file. */
export async function openScim() {
  const world = await openWorld()
  const { platform, api, account_id } = world
  const { db } = platform.parts
  const minted = await world.ask('POST', `/v1/accounts/${account_id}/scim-tokens`, { name: 'directory' })
  const directory = minted.pick('token')

  async function ask(
    method: string,
    path: string,
    json?: unknown,
    options: AskOptions = {},
  ): Promise<ScimAnswer> {
    const { token = directory, raw } = options
    const body = raw ?? (json === undefined ? undefined : JSON.stringify(json))
    const url = `${api.origin}/scim/v2/accounts/${options.account_id ?? account_id}${path}`
    const answer = await fetch(url, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.text()
    const parsed: unknown = text === '' ? null : JSON.parse(text)
    const { status, headers } = answer
    return { status, headers, text, body: parsed, pick: (at) => pick(parsed, at) }
  }

  return {
    platform,
    db,
    account_id,
    directory,
    newProject: world.newProject,
    ask,
    /** Asks a route of the platform's own. */
    v1: (path: string, token: string, method = 'GET', json?: unknown) =>
      platform.call(`/v1${path}`, { method, token, ...(json === undefined ? {} : { json }) }),
    /** The events of an action in an account's log, newest first. */
    events: (account: string, action: string) =>
      db
        .selectFrom('audit_events')
        .selectAll()
        .where('account_id', '=', account)
        .where('action', '=', action)
        .orderBy('seq', 'desc')
        .execute(),
    patch: (path: string, ...Operations: readonly object[]) =>
      ask('PATCH', path, { schemas: [`${messages}:PatchOp`], Operations }),
    async addUser(changes: object = {}): Promise<{ id: string; email: string }> {
      const email = `${randomUUID()}@acme.example`
      const answer = await ask('POST', '/Users', { schemas: [userSchema], userName: email, ...changes })
      if (answer.status !== 201) throw new Error(answer.text)
      return { id: answer.pick('id'), email }
    },
  }
}

export type Scim = Awaited<ReturnType<typeof openScim>>

/** Gives the person's account the plan that holds directory sync. */
export async function upgrade(
  platform: TestPlatform,
  account_id: string,
  tier: 'free' | 'enterprise' | 'self_host',
) {
  const { db } = platform.parts
  await db.updateTable('accounts').set({ tier }).where('account_id', '=', account_id).execute()
}
