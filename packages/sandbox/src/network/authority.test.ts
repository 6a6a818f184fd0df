import { describe, expect, it } from 'vitest'
import { isLoopback } from '@svc/facts'
import { authorityOf, authorityText, parseAuthority } from './authority.ts'

describe('parseAuthority', () => {
  it.each([
    ['packages.example.org:443', { host: 'packages.example.org', port: 443 }],
    ['Example.COM.:80', { host: 'example.com', port: 80 }],
    ['[::1]:7700', { host: '::1', port: 7700 }],
    ['10.0.0.1:1', { host: '10.0.0.1', port: 1 }],
    ['example.com', null],
    ['example.com:0', null],
    ['example.com:65536', null],
    ['[example.com]:80', null],
    ['::1:80', null],
    ['a b:80', null],
    ['user@host:80', null],
    ['', null],
  ])('%s', (text, authority) => {
    expect(parseAuthority(text)).toEqual(authority)
  })
})

describe('authorityOf', () => {
  it.each([
    ['http://127.0.0.1:7700/v1', '127.0.0.1:7700'],
    ['https://svc.example.com/v1', 'svc.example.com:443'],
    ['http://[::1]:80/', '[::1]:80'],
    ['postgres://user:secret@db/svc', 'db:5432'],
    ['postgresql://user@/svc?host=/run/pg', null],
    ['file:///srv/repository.git', null],
    ['no address', null],
  ])('%s', (url, text) => {
    const found = authorityOf(url)
    expect(found === null ? null : authorityText(found)).toBe(text)
  })
})

describe('an authority on this machine', () => {
  it.each([
    ['127.0.0.1:1', true],
    ['127.9.9.9:1', true],
    ['localhost:1', true],
    ['[::1]:1', true],
    ['127.example.com:1', false],
    ['10.0.0.1:1', false],
  ])('%s %s', (text, expected) => {
    const found = parseAuthority(text)
    expect(found !== null && isLoopback(found.host)).toBe(expected)
  })
})
