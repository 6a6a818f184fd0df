import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addPerson, type Person } from '../support/credentials.ts'
import { client } from '../support/sso.ts'
import { newDomain, openAccounts, refused } from './accounts.ts'

const { sso, acme, rival, owner, rivalOwner, newOwner, db, call, claim, verify, publish, events } =
  await openAccounts()
const poor = randomUUID()
const poorOwner = await newOwner(poor, 'team')
const admin = await addPerson(db, acme, 'admin')
const member = await addPerson(db, acme, 'member')

describe('a mail domain', () => {
  test('is claimed with a record to add, and proved once name servers hand it out', async () => {
    const domain = newDomain()
    const first = await claim(acme, owner, domain.toUpperCase())
    const name = `_svc-challenge.${domain}`
    expect(first).toMatchObject({
      status: 201,
      body: { domain, status: 'pending', verified_at: null, record: { type: 'TXT', name } },
    })
    const value = first.pick('record.value')
    expect(value).toMatch(/^svc-domain-verification=[\w-]{32}$/)
    expect((await claim(acme, owner, domain)).pick('record.value')).toBe(value)

    expect(await verify(acme, owner, domain)).toMatchObject(refused(422, 'domain_not_proved'))
    sso.dns.texts.set(name, ['v=spf1 -all', `${value}x`, value.toUpperCase()])
    const unproved = await verify(acme, owner, domain)
    expect(unproved).toMatchObject({
      ...refused(422, 'domain_not_proved'),
      body: { record: { name, value } },
    })
    expect(unproved.pick('message')).toContain('3 other TXT records')
    sso.dns.texts.set(name, 'fails')
    expect(await verify(acme, owner, domain)).toMatchObject(refused(503, 'temporarily_unavailable'))
    sso.dns.texts.set(name, ['v=spf1 -all', value])
    expect(await verify(acme, owner, domain)).toMatchObject({ status: 200, body: { status: 'verified' } })

    // The name is not looked up again.
    sso.dns.texts.delete(name)
    expect(await verify(acme, owner, domain)).toMatchObject({ status: 200, body: { expires_at: null } })
    expect(await claim(acme, owner, domain)).toMatchObject({ status: 201, body: { status: 'verified' } })
    const { body } = await call('GET', `${acme}/domains`, admin)
    expect(Object(body).domains).toContainEqual(expect.objectContaining({ domain, status: 'verified' }))
    expect(await events(acme)).toContainEqual(
      expect.objectContaining({ action: 'verifyDomain', target: `accounts/${acme}/domains/${domain}` }),
    )
    expect(await call('DELETE', `${acme}/domains/${domain}`, owner)).toMatchObject({ status: 204 })
    expect(await call('DELETE', `${acme}/domains/${domain}`, owner)).toMatchObject({ status: 404 })
  })

  test('in other letters is the same one, by its path as well', async () => {
    const name = randomUUID()
    const ascii = `xn--bcher-kva.${name}.example`
    expect(await claim(acme, owner, `Bücher.${name}.example.`)).toMatchObject({ body: { domain: ascii } })
    await publish(acme, owner, ascii)
    const path = encodeURIComponent(`BÜCHER.${name}.example`)
    expect(await verify(acme, owner, path)).toMatchObject({ status: 200, body: { domain: ascii } })
  })

  test.each(['co.uk', 'github.io', 'gmail.com', 'GMAIL.com.', '192.0.2.1', 'localhost', 'a b.example'])(
    '%s is refused, with what to do',
    async (domain) => {
      const answer = await claim(acme, owner, domain)
      expect(answer).toMatchObject(refused(400, 'domain_not_allowed'))
      expect(answer.pick('message')).toMatch(/give /i)
    },
  )

  test.each<readonly [string, number, string | undefined, () => [string, Person]]>([
    ['an owner whose plan lacks sso', 402, 'entitlement_required', () => [poor, poorOwner]],
    ['an admin', 403, 'forbidden', () => [acme, admin]],
    ['a member', 403, 'forbidden', () => [acme, member]],
    ['an owner of another account', 404, 'not_found', () => [acme, rivalOwner]],
  ])('is not claimed by %s', async (_, status, code, who) => {
    const [account_id, by] = who()
    expect(await claim(account_id, by, newDomain())).toMatchObject({ status, body: { code } })
    const json = { issuer: sso.issuer, ...client }
    expect(await call('PUT', `${account_id}/sso`, by, json)).toMatchObject({ status, body: { code } })
  })

  test('claimed by two has one owner, whichever comes first, and nobody else after', async () => {
    const domains = Array.from({ length: 6 }, newDomain)
    const both = [
      [acme, owner],
      [rival, rivalOwner],
    ] as const
    for (const domain of domains) for (const [account_id, by] of both) await publish(account_id, by, domain)
    const answers = await Promise.all(
      domains.map((domain) => Promise.all(both.map(([account_id, by]) => verify(account_id, by, domain)))),
    )
    for (const pair of answers) {
      expect(pair.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(pair.find(({ status }) => status === 409)).toMatchObject(refused(409, 'domain_taken'))
    }
    const [domain = ''] = domains
    const winner = answers[0]?.[0]?.status === 200 ? 0 : 1
    const [[won, wonBy], [lost, lostBy]] = winner === 0 ? [both[0], both[1]] : [both[1], both[0]]
    expect(await claim(lost, lostBy, domain)).toMatchObject(refused(409, 'domain_taken'))
    expect(await call('DELETE', `${lost}/domains/${domain}`, wonBy)).toMatchObject({ status: 404 })
    expect(await call('DELETE', `${won}/domains/${domain}`, wonBy)).toMatchObject({ status: 204 })
    expect(await verify(lost, lostBy, domain)).toMatchObject({ status: 200 })
  })

  test('that nobody proves is forgotten, and is in nobody’s way', async () => {
    const domain = newDomain()
    await publish(acme, owner, domain)
    expect(await verify(rival, rivalOwner, domain)).toMatchObject({ status: 404 })
    sso.switches.ahead = 8 * 86_400_000
    expect(await verify(acme, owner, domain)).toMatchObject({ status: 404 })
    const again = await claim(acme, owner, domain)
    sso.switches.ahead = 0
    const name = again.pick('record.name')
    expect([sso.dns.texts.get(name)].flat()).not.toContain(again.pick('record.value'))
  })
})
