import { describe, expect, it } from 'vitest'
import { connectDaemon } from './connect-daemon.ts'

describe('connectDaemon', () => {
  it.each([
    ['unix:///run/a%20b', { socketPath: '/run/a b' }],
    ['http://127.0.0.1:8000', { protocol: 'http:', hostname: '127.0.0.1', port: '8000' }],
    ['http://[fd00::1]:8000', { protocol: 'http:', hostname: 'fd00::1', port: '8000' }],
    ['http://sandbox.example', { protocol: 'http:', hostname: 'sandbox.example', port: '80' }],
    ['https://a.sandbox.example', { protocol: 'https:', hostname: 'a.sandbox.example', port: '443' }],
  ])('%s', (url, place) => {
    expect(connectDaemon({ url }).place).toEqual(place)
  })

  it('carries the provider’s headers, and names the host where the way is encrypted', () => {
    const headers = { 'X-Token': 'secret' }
    expect(connectDaemon({ url: 'http://a:1', headers }).headers).toEqual({ 'x-token': 'secret' })
    expect(connectDaemon({ url: 'https://a:1', headers }).headers).toEqual({
      'x-token': 'secret',
      host: 'a:1',
    })
  })

  it.each(['ftp://a/', 'http://a/path', 'https://a/b'])('refuses %s', (url) => {
    expect(() => connectDaemon({ url })).toThrow('cannot be reached at')
  })

  it('refuses headers that the daemon reads itself', () => {
    expect(() => connectDaemon({ url: 'https://a', headers: { Authorization: 'x' } })).toThrow(
      'Authorization',
    )
  })
})
