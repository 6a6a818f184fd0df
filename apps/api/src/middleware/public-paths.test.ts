import { expect, test } from 'vitest'
import { isPublic } from './public-paths.ts'

test.each([
  '/v1/health',
  '/v1/openapi.json',
  '/v1/docs',
  '/v1/docs/swagger-ui.css',
  '/v1/webhooks/projects/x/y',
  '/v1/connectors/oauth/callback',
  '/v1/auth/sign-in/password',
  '/v1/auth/refresh',
])('%s needs no token', (path) => expect(isPublic(path)).toBe(true))

test.each([
  '/v1/projects',
  '/v1/accounts/me',
  '/v1/healthy',
  '/v1/oauth/userinfo',
  '/v1/auth/user',
  '/v1/auth/sign-out',
  '/v1/auth/totp',
  '/v1/auth/totp/confirm',
  '/v1/auth/totp/disable',
  '/v1/docsx',
  '/v1/',
])('%s needs a token', (path) => expect(isPublic(path)).toBe(false))
