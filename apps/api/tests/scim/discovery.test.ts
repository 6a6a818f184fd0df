import { describe, expect, test } from 'vitest'
import { core, enterprise, groupSchema, messages, openScim, userSchema } from '../support/scim.ts'

const scim = await openScim()

describe('discovery (RFC 7643 sections 5 to 7, RFC 7644 section 4)', () => {
  test('ServiceProviderConfig says what there is', async () => {
    const answer = await scim.ask('GET', '/ServiceProviderConfig')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/scim+json')
    expect(answer.body).toMatchObject({
      schemas: [`${core}:ServiceProviderConfig`],
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: false },
      etag: { supported: true },
      changePassword: { supported: false },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    })
  })

  test.each([
    ['/ResourceTypes', ['User', 'Group']],
    ['/Schemas', [userSchema, groupSchema, enterprise]],
  ])('%s lists and names each', async (path, ids) => {
    const { body } = await scim.ask('GET', path)
    expect(body).toMatchObject({ totalResults: ids.length, Resources: ids.map((id) => ({ id })) })
    for (const id of ids)
      expect(await scim.ask('GET', `${path}/${id}`)).toMatchObject({ status: 200, body: { id } })
    expect(await scim.ask('GET', `${path}/none`)).toMatchObject({ status: 404 })
    expect(await scim.ask('GET', `${path}?filter=id%20pr`)).toMatchObject({
      status: 403,
      body: { status: '403' },
    })
  })

  test('the schemas show no password, and nothing that nobody keeps', async () => {
    const { text } = await scim.ask('GET', `/Schemas/${userSchema}`)
    expect(text).toContain('"userName"')
    for (const name of ['password', 'x509Certificates', 'photos']) expect(text).not.toContain(`"${name}"`)
  })

  test.each([
    ['GET', '/Me'],
    ['POST', '/Bulk'],
  ])('%s %s is not supported (sections 3.7, 3.11)', async (method, path) => {
    const answer = await scim.ask(method, path, method === 'POST' ? {} : undefined)
    expect(answer).toMatchObject({ status: 501, body: { schemas: [`${messages}:Error`], status: '501' } })
  })
})
