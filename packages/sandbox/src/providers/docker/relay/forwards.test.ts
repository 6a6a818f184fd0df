import { describe, expect, it } from 'vitest'
import { destinationsOf } from '../../../network/reach.ts'
import { daemonAddress, forwardsOf, hostAddresses, isForeignAddress, unreached } from './forwards.ts'

const of = (environment: Record<string, string>) => {
  const destinations = destinationsOf(environment)
  const hosts = hostAddresses(destinations)
  return { destinations, hosts, forwards: forwardsOf(destinations, hosts) }
}

describe('what a sandbox is there to talk to', () => {
  it('is one place where the platform is on loopback', () => {
    const url = 'http://127.0.0.1:7700'
    const { destinations, hosts, forwards } = of({
      SVC_API_URL: `${url}/v1`,
      SVC_LLM_BASE_URL: `${url}/v1/llm`,
      SVC_REPO_URL: `${url}/git/x.git`,
    })
    expect(destinations).toEqual([{ host: '127.0.0.1', port: 7700 }])
    expect(hosts).toEqual({})
    expect(forwards).toEqual([{ address: '127.0.0.1', port: 7700, host: '127.0.0.1' }])
  })

  it('has an address for each name, so that two may use one port', () => {
    const { hosts, forwards } = of({
      SVC_API_URL: 'https://svc.example.com/v1',
      SVC_REPO_URL: 'https://git.example.org/a/b.git',
    })
    expect(hosts).toEqual({ 'svc.example.com': '127.0.1.1', 'git.example.org': '127.0.1.2' })
    expect(forwards).toEqual([
      { address: '127.0.1.1', port: 443, host: 'svc.example.com' },
      { address: '127.0.1.2', port: 443, host: 'git.example.org' },
    ])
  })

  it('cannot be an address of another machine', () => {
    expect(isForeignAddress('10.0.0.5')).toBe(true)
    expect(isForeignAddress('127.0.0.9')).toBe(false)
    expect(isForeignAddress('svc.example.com')).toBe(false)
    expect(of({ SVC_REPO_URL: 'https://192.0.2.7/x.git' }).forwards).toEqual([])
  })
})

describe('a sandbox that waited reaches for its session', () => {
  const waiting = destinationsOf({
    SVC_API_URL: 'https://svc.example.com/v1',
    SVC_LLM_BASE_URL: 'http://127.0.0.1:7700/v1/llm',
  })
  const hosts = hostAddresses(waiting)
  it.each([
    ['the platform’s own origin', 'https://svc.example.com/git/x.git', true, true],
    ['an address that was forwarded', 'http://127.0.0.1:7700/git/x.git', true, true],
    ['a public host, by the proxy alone', 'https://git.example.org/a/b.git', true, false],
    ['another address, by the proxy alone', 'http://192.0.2.7/x.git', true, false],
    ['no other port of a name that it has itself', 'https://svc.example.com:8443/x.git', false, false],
    ['no other port of its own loopback device', 'http://127.0.0.1:7701/x.git', false, false],
    ['no other port of localhost', 'http://localhost:7700/x.git', false, false],
  ])('%s', (_what, SVC_REPO_URL, with_proxy, without) => {
    const wanted = destinationsOf({ SVC_REPO_URL })
    const reaches = (proxied: boolean) => unreached(wanted, { initial: waiting, hosts, proxied }).length === 0
    expect([reaches(true), reaches(false)]).toEqual([with_proxy, without])
  })
})

it('the daemon makes way for a platform on its ports', () => {
  const forward = { address: '127.0.0.1', port: 8000, host: 'localhost' }
  expect(daemonAddress([forward], [8000, 4096])).toBe('127.0.0.2')
  expect(daemonAddress([{ ...forward, port: 7700 }], [8000, 4096])).toBe('127.0.0.1')
})
