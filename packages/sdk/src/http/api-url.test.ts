import { describe, expect, it } from 'vitest'
import { apiOrigin, requestPath } from './api-url.ts'

describe('apiOrigin', () => {
  it.each([
    ['http://127.0.0.1:7700', 'http://127.0.0.1:7700'],
    ['http://127.0.0.1:7700/', 'http://127.0.0.1:7700'],
    ['http://127.0.0.1:7700/v1', 'http://127.0.0.1:7700'],
    ['https://svc.example/v1/', 'https://svc.example'],
    ['https://example.com/svc/v1', 'https://example.com/svc'],
    ['https://example.com/svc', 'https://example.com/svc'],
  ])('%s -> %s', (given, expected) => expect(apiOrigin(given)).toBe(expected))

  it.each(['ftp://example.com', 'not a url', 'https://me:secret@example.com'])('refuses %s', (given) => {
    expect(() => apiOrigin(given)).toThrow(TypeError)
    expect(() => apiOrigin(given)).toThrow('api_url')
  })
})

describe('requestPath', () => {
  it('encodes each segment', () => {
    expect(requestPath('/v1/projects/{project_id}/secrets/{name}', { project_id: 'a/b', name: '?#%' })).toBe(
      '/v1/projects/a%2Fb/secrets/%3F%23%25',
    )
  })

  it.each(['', '.', '..'])('refuses a segment that would change the route: %j', (project_id) => {
    expect(() => requestPath('/v1/projects/{project_id}', { project_id })).toThrow(TypeError)
  })

  it('leaves undefined query values out', () => {
    expect(requestPath('/v1/x', {}, { limit: 2, cursor: undefined, q: 'a b&c' })).toBe(
      '/v1/x?limit=2&q=a+b%26c',
    )
    expect(requestPath('/v1/x', {}, { cursor: undefined })).toBe('/v1/x')
  })
})
