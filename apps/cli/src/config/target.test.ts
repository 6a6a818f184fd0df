import { describe, expect, it } from 'vitest'
import { OperationError, UsageError } from '../failures.ts'
import type { Config } from './config-file.ts'
import { resolveTarget, type TargetInput } from './target.ts'

const config: Config = {
  active_host: 'active',
  hosts: {
    active: { api_url: 'https://active.example/v1', token: 'ta' },
    linked: { api_url: 'https://linked.example/v1', token: 'tl' },
    flagged: { api_url: 'https://flagged.example/v1', token: 'tf' },
  },
}
const link = { project_id: 'p', account_id: null, host: 'linked', host_url: 'https://elsewhere.example/v1' }
const resolve = (input: Partial<TargetInput>) =>
  resolveTarget({ flag: undefined, env: {}, link: null, config, ...input })

describe('the host', () => {
  it('is --host, then the link file, then the active one', () => {
    expect(resolve({ flag: 'flagged', link })).toMatchObject({
      host: 'flagged',
      host_source: '--host',
      token: 'tf',
    })
    expect(resolve({ link })).toMatchObject({ host: 'linked', host_source: 'link file', token: 'tl' })
    expect(resolve({})).toMatchObject({ host: 'active', host_source: 'active host', token: 'ta' })
  })

  it('is local-dev when none was chosen, or the chosen one is gone', () => {
    const expected = {
      host: 'local-dev',
      api_url: 'http://127.0.0.1:7700/v1',
      token: null,
      token_source: null,
    }
    expect(resolve({ config: { active_host: null, hosts: {} } })).toMatchObject(expected)
    expect(resolve({ config: { active_host: 'gone', hosts: {} } })).toMatchObject(expected)
  })

  it("has the config's address, not the link file's", () => {
    expect(resolve({ link }).api_url).toBe('https://linked.example/v1')
  })

  it('of a link file must be known', () => {
    expect(() => resolve({ link: { ...link, host: 'evil' } })).toThrow(OperationError)
  })

  it('of the flag must be known', () => {
    expect(() => resolve({ flag: 'nowhere' })).toThrow(UsageError)
    expect(() => resolve({ flag: '__proto__' })).toThrow(UsageError)
  })

  it('without an address says how to give it one', () => {
    expect(() => resolve({ flag: 'cloud' })).toThrow('the host cloud has no address yet')
  })
})

describe('SVC_API_URL', () => {
  const env = { SVC_API_URL: 'https://env.example' }

  it('overrides the address', () => {
    expect(resolve({ env })).toMatchObject({ api_url: 'https://env.example/v1', host_source: 'SVC_API_URL' })
    expect(resolve({ env, link }).api_url).toBe('https://env.example/v1')
  })

  it('needs no known host', () => {
    expect(resolve({ env, link: { ...link, host: 'evil' } }).api_url).toBe('https://env.example/v1')
  })

  it('yields to --host', () =>
    expect(resolve({ env, flag: 'flagged' }).api_url).toBe('https://flagged.example/v1'))

  it('that is empty counts as absent', () =>
    expect(resolve({ env: { SVC_API_URL: '' } }).host).toBe('active'))
})

describe('the token', () => {
  it('is SVC_CLI_TOKEN, then SVC_EXECUTOR_TOKEN, then the host’s', () => {
    expect(resolve({ env: { SVC_CLI_TOKEN: 'c', SVC_EXECUTOR_TOKEN: 'e' } })).toMatchObject({ token: 'c' })
    expect(resolve({ env: { SVC_EXECUTOR_TOKEN: 'e', SVC_TOKEN: 't' } })).toMatchObject({ token: 'e' })
    expect(resolve({ env: { SVC_TOKEN: 't' } })).toMatchObject({ token: 'ta', token_source: 'config file' })
  })
})
