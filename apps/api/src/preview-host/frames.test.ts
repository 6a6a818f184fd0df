import type { IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { allowFrames, frameAncestors } from './frames.ts'

test.each([
  ['https://svc.example.com/v1', "frame-ancestors 'self' https://svc.example.com"],
  ['http://127.0.0.1:7700/v1', "frame-ancestors 'self' http://127.0.0.1:7700 http://localhost:7700"],
  ['http://localhost/v1', "frame-ancestors 'self' http://127.0.0.1 http://localhost"],
])('previews of %s are framed by: %s', (api_url, policy) => expect(frameAncestors(api_url)).toBe(policy))

const ancestors = "frame-ancestors 'self' https://svc.example.com"

test.each([
  [undefined, ancestors],
  ["default-src 'self'", `default-src 'self', ${ancestors}`],
  ["default-src 'self'; Frame-Ancestors 'none'; img-src *", `default-src 'self'; img-src *, ${ancestors}`],
  ["frame-ancestors 'self'", ancestors],
  [
    "frame-ancestors, script-src 'self'; frame-ancestors-x y",
    `script-src 'self'; frame-ancestors-x y, ${ancestors}`,
  ],
])('of the policy %j only who may frame is another', (policy, after) => {
  const headers: IncomingHttpHeaders = {
    'x-frame-options': 'DENY',
    ...(policy === undefined ? {} : { 'content-security-policy': policy }),
  }
  allowFrames(headers, ancestors)
  expect(headers).toEqual({ 'content-security-policy': after })
})
