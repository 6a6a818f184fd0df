import { describe, expect, it } from 'vitest'
import { answerHeaders, upstreamHeaders, upstreamPath } from './upstream-headers.ts'

const facts = { address: '192.0.2.7', proto: 'https', request_id: 'req_1' } as const

describe('the headers that an app is asked with', () => {
  it('are none of the connection, and none that the connection names', () => {
    const headers = {
      connection: 'close, X-Hop',
      'x-hop': '1',
      te: 'trailers',
      accept: '*/*',
      host: 'a.test',
    }
    expect(upstreamHeaders({ headers }, facts)).toEqual({
      accept: '*/*',
      host: 'a.test',
      'x-forwarded-for': '192.0.2.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'a.test',
      'x-request-id': 'req_1',
    })
  })

  it('take the words of a client about itself for nothing', () => {
    const headers = {
      host: 'a.test',
      'x-forwarded-for': '10.0.0.1',
      'x-request-id': 'mine',
      forwarded: 'for=1',
    }
    const sent = upstreamHeaders({ headers }, facts)
    expect(sent).toMatchObject({ 'x-forwarded-for': '192.0.2.7', 'x-request-id': 'req_1' })
    expect(sent).not.toHaveProperty('forwarded')
  })

  it('leave the app its own cookies and its authorization, and keep what opens the door', () => {
    const cookie = 'a=1; __Host-svc_app=secret; svc_app=secret; svc_apps=2'
    const headers = { host: 'a.test', cookie, 'x-svc-app-token': 'secret', authorization: 'Bearer own' }
    const sent = upstreamHeaders({ headers }, facts)
    expect(sent).toMatchObject({ cookie: 'a=1; svc_apps=2', authorization: 'Bearer own' })
    expect(JSON.stringify(sent)).not.toContain('secret')
    expect(upstreamHeaders({ headers: { cookie: 'svc_app=x' } }, facts)).not.toHaveProperty('cookie')
  })
})

describe('the headers that a visitor is answered with', () => {
  it('carry no cookie for a domain that is not the app’s', () => {
    const cookies = ['a=1; Domain=.apps.test; Path=/', 'b=2; domain=a.apps.test; Secure']
    expect(answerHeaders({ 'set-cookie': cookies, connection: 'close' }, 'a.apps.test:8083')).toEqual({
      'set-cookie': ['a=1; Path=/', 'b=2; domain=a.apps.test; Secure'],
    })
  })
})

it.each([
  ['/a?b=1&__svc_token=2&c', '/a?b=1&c'],
  ['/a?__svc=1', '/a'],
  ['/__svc/x', '/__svc/x'],
  ['/a?b=__svc', '/a?b=__svc'],
])('asks for %s as %s', (url, path) => {
  expect(upstreamPath(url)).toBe(path)
})
