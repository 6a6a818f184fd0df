import { describe, expect, it } from 'vitest'
import { SandboxError } from '../../../sandbox-error.ts'
import { refusalOf, toClusterError } from './api-failure.ts'

/** As the client throws it; that it still does is seen where a server refuses. */
const answered = (code: number, body: string, headers: Record<string, string> = {}) =>
  Object.assign(new Error(`HTTP-Code: ${code} Headers: ${JSON.stringify(headers)}`), { code, body, headers })
const refused = (code: number, message: string, headers: Record<string, string> = {}) =>
  answered(code, JSON.stringify({ kind: 'Status', message }), { authorization: 'a secret', ...headers })

describe('what the API server refuses', () => {
  it.each([
    [403, 'pods "a" is forbidden: exceeded quota: team, requested: pods=1', 'quota', false],
    [403, 'pods is forbidden: User "x" cannot create resource "pods"', 'internal', false],
    [401, 'Unauthorized', 'internal', false],
    [404, 'namespaces "nowhere" not found', 'internal', false],
    [409, 'the object has been modified', 'internal', true],
    [413, 'Request entity too large', 'quota', false],
    [422, 'Pod "a" is invalid', 'internal', false],
    [429, 'too many requests', 'network', true],
    [500, 'etcdserver: request timed out', 'network', true],
    [503, 'apiserver is shutting down', 'network', true],
    [504, 'timeout', 'network', true],
  ])('%i %s is %s', (code, message, kind, retryable) => {
    expect(toClusterError(refused(code, message), 'Creating')).toMatchObject({
      kind,
      retryable,
      message: expect.stringContaining(message),
    })
  })

  it('shows nothing of the request', () => {
    const error = toClusterError(refused(422, 'Secret "a" is invalid'), 'Creating')
    expect(`${error.message} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain('a secret')
  })

  it('takes a server that does not answer for the network’s trouble', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), {
      name: 'FetchError',
      code: 'ECONNREFUSED',
    })
    expect(toClusterError(error, 'Creating')).toMatchObject({ kind: 'network', retryable: true })
    expect(toClusterError(Object.assign(new Error('aborted'), { name: 'AbortError' }), 'x').kind).toBe(
      'network',
    )
  })

  it('does not take a defect for the network’s trouble', () => {
    expect(toClusterError(new TypeError('undefined is no function'), 'Creating').kind).toBe('internal')
  })

  it('passes on what is typed', () => {
    const error = new SandboxError('image', 'no image')
    expect(toClusterError(error, 'Creating')).toBe(error)
  })

  it('reads how long to wait', () => {
    expect(refusalOf(refused(429, 'slow down', { 'retry-after': '2' }))?.retry_after_ms).toBe(2000)
    expect(refusalOf(refused(429, 'slow down'))?.retry_after_ms).toBeNull()
  })

  it('reads what a proxy says instead of a status', () => {
    expect(refusalOf(answered(502, '<html>bad gateway</html>'))?.message).toBe('HTTP 502')
  })
})
