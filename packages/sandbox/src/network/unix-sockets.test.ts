import { describe, expect, it } from 'vitest'
import { connectDaemon } from '../connect-daemon.ts'
import { dockerEndpoint } from '../providers/docker/paths.ts'
import { requireShortPaths, socketUrl } from './unix-sockets.ts'

describe('the URL of a socket', () => {
  it.each(['/srv/sandboxes/in', '/srv/a folder/in', '/srv/100%25/in', '/srv/a#b?c/in'])(
    'leads back to %s',
    (path) => {
      expect(connectDaemon({ url: socketUrl(path) }).place).toEqual({ socketPath: path })
    },
  )

  it('is that of a container’s endpoint', () => {
    const { url } = dockerEndpoint('/srv/100%25', 'sbx')
    expect(connectDaemon({ url }).place).toEqual({ socketPath: '/srv/100%25/sbx/in' })
  })
})

describe('a folder of sandboxes', () => {
  it('may have sockets of 107 bytes', () => {
    expect(() => requireShortPaths('/root', ['/'.padEnd(107, 'x')])).not.toThrow()
  })

  it.each([['/'.padEnd(110, 'x')], ['/'.padEnd(100, 'x') + 'é'.repeat(5)]])(
    'is refused for %s, as long as it is in bytes',
    (path) => {
      expect(() => requireShortPaths('/root', [path])).toThrow('/root, is 3 characters too long')
    },
  )
})
