import { expect, test } from 'vitest'
import { z } from 'zod'
import { signInEnv } from './env.ts'

const Env = z.object(signInEnv)

test.each([
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
])('SVC_SSO_ADDRESSES may be %s', (text, ranges) =>
  expect(Env.parse({ SVC_SSO_ADDRESSES: text }).SVC_SSO_ADDRESSES).toEqual(ranges),
)

test.each(['', '10.0.0.0', '10.0.0.0/33', '10.0.0.0/8/8', 'example.com/8', '10.0.0.0/x'])(
  'SVC_SSO_ADDRESSES is not %j',
  (text) => expect(Env.safeParse({ SVC_SSO_ADDRESSES: text }).success).toBe(false),
)

test.each([
  ['192.0.2.53', ['192.0.2.53']],
  ['192.0.2.53:5353, [2001:db8::53]:53', ['192.0.2.53:5353', '[2001:db8::53]:53']],
  ['2001:db8::53', ['2001:db8::53']],
])('SVC_DNS_SERVERS may be %s', (text, servers) =>
  expect(Env.parse({ SVC_DNS_SERVERS: text }).SVC_DNS_SERVERS).toEqual(servers),
)

test.each(['', 'ns.example.com', '192.0.2.53:70000', '192.0.2.53:', '[192.0.2'])(
  'SVC_DNS_SERVERS is not %j',
  (text) => expect(Env.safeParse({ SVC_DNS_SERVERS: text }).success).toBe(false),
)
