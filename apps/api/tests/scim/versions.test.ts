import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { groupSchema, messages, openScim, userSchema } from '../support/scim.ts'

const scim = await openScim()

describe('versions (RFC 7644 section 3.14)', () => {
  test.each([
    ['/Users', (name: string) => ({ schemas: [userSchema], userName: `${name}@acme.example` }), 'nickName'],
    ['/Groups', (name: string) => ({ schemas: [groupSchema], displayName: name }), 'externalId'],
  ])('%s', async (kind, bodyOf, path) => {
    const body = bodyOf(randomUUID())
    const made = await scim.ask('POST', kind, body)
    const [at, first] = [`${kind}/${made.pick('id')}`, made.pick('meta.version')]
    const seen = await scim.ask('GET', at, undefined, { headers: { 'if-none-match': first } })
    expect(seen).toMatchObject({ status: 304, text: '' })
    const change = { schemas: [`${messages}:PatchOp`], Operations: [{ op: 'add', path, value: 'x' }] }
    const changed = await scim.ask('PATCH', at, change, { headers: { 'if-match': first } })
    expect(changed.status).toBe(200)
    const second = changed.pick('meta.version')
    expect(second).not.toBe(first)
    const again = await scim.ask('PATCH', at, change, { headers: { 'if-match': second } })
    expect(again.pick('meta.version')).toBe(second)
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const sent = method === 'DELETE' ? undefined : method === 'PUT' ? body : change
      const stale = await scim.ask(method, at, sent, { headers: { 'if-match': first } })
      expect(stale).toMatchObject({ status: 412, body: { schemas: [`${messages}:Error`], status: '412' } })
    }
    expect(await scim.ask('GET', at, undefined, { headers: { 'if-none-match': first } })).toMatchObject({
      status: 200,
    })
    expect(await scim.ask('DELETE', at, undefined, { headers: { 'if-match': '*' } })).toMatchObject({
      status: 204,
    })
  })
})
