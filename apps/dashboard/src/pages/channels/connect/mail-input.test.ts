import { expect, test } from 'vitest'
import { connectInput, isIncomplete, noFields } from './connect-input.ts'
import { noMailFields } from './mail-input.ts'

const fields = { ...noFields, platform: 'email', policy: 'owner_only' } as const

test('mail by the mail server needs nothing, and sends what was typed', () => {
  expect(isIncomplete(fields)).toBe(false)
  expect(
    connectInput({ ...fields, mail: { ...noMailFields, local: ' shop ', password: 'left over' } }),
  ).toEqual({
    ...{ platform: 'email', credentials: {}, settings: { local: 'shop' } },
    ...{ policy: 'owner_only', thread_replies: 'all' },
  })
})

test('a mailbox needs its server, its user and its password', () => {
  const mail = {
    ...noMailFields,
    way: 'imap',
    host: ' imap.example.com ',
    user: 'svc',
    password: ' p ',
  } as const
  expect(isIncomplete({ ...fields, mail })).toBe(false)
  for (const missing of [{ host: ' ' }, { user: '' }, { password: '' }, { port: 'x' }])
    expect(isIncomplete({ ...fields, mail: { ...mail, ...missing } })).toBe(true)
  const typed = { ...mail, address: 'svc@example.com', authserv_id: 'mx.example.com', local: 'left over' }
  expect(connectInput({ ...fields, mail: typed })).toMatchObject({
    credentials: { imap: { host: 'imap.example.com', port: 993, user: 'svc', password: ' p ' } },
    settings: { address: 'svc@example.com', authserv_id: 'mx.example.com' },
  })
})
