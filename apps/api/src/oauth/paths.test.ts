import { expect, test } from 'vitest'
import { oauthRoute } from './paths.ts'

test.each([
  ['/v1/oauth/authorize', 'authorize'],
  ['/v1/oauth/authorize/abc', 'authorize'],
  ['/v1/oauth/token', 'token'],
  ['/v1/oauth/register', 'register'],
  ['/v1/auth/device', 'device'],
  ['/v1/oauth/device', 'verify'],
  ['/v1/oauth/device/abc', 'verify'],
  ['/v1/oauth/interaction/abc', 'interaction'],
  ['/v1/oauth/userinfo', null],
  ['/v1/oauth/revoke', null],
  ['/v1/oauth/tokens', null],
  ['/v1/oauth/authorized', null],
  ['/v1/auth/devices', null],
  ['/v1/oauth', null],
])('%s is %s', (path, route) => expect(oauthRoute(path)).toBe(route))
