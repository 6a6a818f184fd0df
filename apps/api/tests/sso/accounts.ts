import { randomUUID } from 'node:crypto'
import type { AccountRow } from '@svc/db'
import { afterAll, expect } from 'vitest'
import { addPerson, type Person } from '../support/credentials.ts'
import { pick } from '../support/platform.ts'
import { ssoPlatform } from '../support/sso.ts'

export const newDomain = () => `${randomUUID()}.example`
export const refused = (status: number, code: string) => ({ status, body: { error: true, status, code } })

/** Two accounts whose plan holds single sign-on, their people, and what these do with mail domains, for one test file. */
export async function openAccounts() {
  const [acme, rival] = [randomUUID(), randomUUID()]
  const sso = await ssoPlatform([acme, rival])
  afterAll(() => sso.close())
  const { db } = sso.platform.parts

  async function newOwner(account_id: string, tier: AccountRow['tier']): Promise<Person> {
    const created_at = new Date()
    await db.insertInto('accounts').values({ account_id, name: 'Acme', tier, created_at }).execute()
    return addPerson(db, account_id, 'owner')
  }

  const call = (method: string, path: string, { token }: Person, json?: unknown) =>
    sso.platform.call(`/v1/accounts/${path}`, { method, token, ...(json === undefined ? {} : { json }) })
  const claim = (account_id: string, by: Person, domain: string) =>
    call('POST', `${account_id}/domains`, by, { domain })
  const verify = (account_id: string, by: Person, domain: string) =>
    call('POST', `${account_id}/domains/${domain}/verify`, by)

  /** Puts the record of a claim where name servers find it. */
  async function publish(account_id: string, by: Person, domain: string): Promise<void> {
    const { body } = await claim(account_id, by, domain)
    const [name, value] = [pick(body, 'record.name'), pick(body, 'record.value')]
    sso.dns.texts.set(name, [...[sso.dns.texts.get(name) ?? []].flat(), value])
  }

  async function proved(account_id: string, by: Person, domain = newDomain()): Promise<string> {
    await publish(account_id, by, domain)
    expect(await verify(account_id, by, domain)).toMatchObject({ status: 200, body: { status: 'verified' } })
    return domain
  }

  return {
    sso,
    db,
    acme,
    rival,
    owner: await newOwner(acme, 'enterprise'),
    rivalOwner: await newOwner(rival, 'enterprise'),
    newOwner,
    call,
    claim,
    verify,
    publish,
    proved,
    events: (account_id: string) =>
      db
        .selectFrom('audit_events')
        .select(['action', 'target', 'outcome', 'details', 'actor_id'])
        .where('account_id', '=', account_id)
        .orderBy('seq')
        .execute(),
  }
}
