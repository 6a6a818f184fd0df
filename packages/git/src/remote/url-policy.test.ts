import { ServiceError } from '@svc/errors'
import { describe, expect, test } from 'vitest'
import { parseRepositoryUrl } from './url-policy.ts'

const all = { http: true, file: true, ssh: true }

describe('allowed', () => {
  test.each([
    ['https://github.com/a/b.git', {}, 'https://github.com/a/b.git', 'https', 443],
    ['https://HOST.example:8443/a', {}, 'https://host.example:8443/a', 'https', 8443],
    ['http://host/a', { http: true }, 'http://host/a', 'http', 80],
    ['http://0x7f.1/a', { http: true }, 'http://127.0.0.1/a', 'http', 80],
    ['ssh://git@host/a.git', { ssh: true }, 'ssh://git@host/a.git', 'ssh', 22],
    ['ssh://git@0x7f.1/a.git', { ssh: true }, 'ssh://git@0x7f.1/a.git', 'ssh', 22],
    ['file:///srv/a.git', { file: true }, 'file:///srv/a.git', 'file', 0],
  ])('%s', (text, allow, url, protocol, port) => {
    expect(parseRepositoryUrl(text, allow)).toMatchObject({ url, protocol, port })
  })
})

test('a number is the address that it stands for, by every protocol', () => {
  for (const protocol of ['http', 'https', 'ssh']) {
    for (const name of ['0x7f.1', '2130706433', '017700000001', '127.1']) {
      expect(parseRepositoryUrl(`${protocol}://${name}/a`, all).host).toBe('127.0.0.1')
    }
  }
})

describe('refused', () => {
  test.each([
    ['http://host/a', {}],
    ['file:///srv/a.git', {}],
    ['ssh://git@host/a', {}],
    ['git@host:a/b.git', all],
    ['git://host/a', all],
    ['ext::sh -c touch% /tmp/x', all],
    ['ext::sh', all],
    ['--upload-pack=touch', all],
    ['-oProxyCommand=x', all],
    ['/srv/a.git', all],
    ['file://host/a', all],
    ['https://user@host/a', all],
    ['https://user:secret@host/a', all],
    ['ssh://git:secret@host/a', all],
    ['ssh://-oProxyCommand=x/a', all],
    ['ssh://-oProxyCommand=x@host/a', all],
    ['ssh://ho%24st/a', all],
    ['ssh://1.2.3.4.5/a', all],
    ['https://host/a b', all],
    ['https://host/a\nb', all],
    ['https://host/a\\b', all],
    ['https://host/a#b', all],
    ['', all],
  ])('%j', (text, allow) => {
    expect(() => parseRepositoryUrl(text, allow)).toThrow(ServiceError)
    expect(() => parseRepositoryUrl(text, allow)).not.toThrow(/secret/)
  })
})
