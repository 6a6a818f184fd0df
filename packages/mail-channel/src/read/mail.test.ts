import type { InboundMessage } from '@svc/channel'
import { describe, expect, test } from 'vitest'
import { readRecipient } from '../address.ts'
import { readMail } from './mail.ts'

const token = '0123456789abcdef0123456789abcdef'
const verdict = 'Authentication-Results: mx.example.net; dmarc=pass header.from=example.org'

interface Written {
  readonly headers?: readonly string[]
  readonly from?: string
  readonly body?: string
  readonly envelope_from?: string
  readonly to?: string
  readonly verdict?: string | null
}

/** A mail to the channel, as the receiving server hands it over. */
async function read(written: Written = {}): Promise<InboundMessage> {
  const {
    headers = [],
    from = 'Ada <Ada@example.org>',
    body = 'Hello',
    envelope_from = 'ada@example.org',
  } = written
  const to = written.to ?? 'shop@agents.example.net'
  const lines = [
    ...(written.verdict === null ? [] : [written.verdict ?? verdict]),
    ...(from === '' ? [] : [`From: ${from}`]),
    ...(headers.some((line) => /^message-id:/i.test(line)) ? [] : ['Message-ID: <m1@example.org>']),
    ...[`To: ${to}`, 'Subject: The shop', ...headers, '', body],
  ]
  const recipient = readRecipient(to)
  if (recipient === null) throw new Error(`${to} is no address`)
  const { body: message } = await readMail({
    raw: Buffer.from(lines.join('\r\n')),
    ...{ address: 'shop@agents.example.net', authserv_id: 'mx.example.net' },
    envelope: { from: envelope_from, to: recipient },
  })
  if (message.kind !== 'message') throw new Error('It is no message')
  return message
}

test('a mail of a person, its words and its names', async () => {
  expect(await read({ headers: ['References: <a@x> <b@x>', 'In-Reply-To: <b@x>'] })).toEqual({
    ...{ kind: 'message', conversation: 'shop', root: 'm1@example.org', ref: 'm1@example.org', direct: true },
    sender: { id: 'ada@example.org', tenant: 'example.org', display: 'ada@example.org' },
    ...{ text: 'The shop\n\nHello', mentions_bot: true, names_other: false, skip: null, files: [] },
    mail: {
      ...{ message_id: 'm1@example.org', subject: 'The shop', references: ['a@x', 'b@x'], quoted: '' },
      ...{ authenticated: true, token_hash: null },
    },
  })
})

describe('mails that are not for an agent', () => {
  test.each<[string | null, string, Written]>([
    [null, 'Auto-Submitted: no', { headers: ['Auto-Submitted: no'] }],
    [null, 'a word of urgency', { headers: ['Precedence: first-class'] }],
    [null, '20 servers', { headers: Array.from({ length: 20 }, () => 'Received: from a by b; Mon') }],
    ['automatic', 'an absence', { headers: ['Auto-Submitted: auto-replied (vacation)'] }],
    ['automatic', 'an absence with a parameter', { headers: ['Auto-Submitted: Auto-Generated; owner="x"'] }],
    ['automatic', 'Precedence: bulk', { headers: ['Precedence: BULK'] }],
    ['automatic', 'Precedence: junk', { headers: ['Precedence: junk'] }],
    ['list', 'Precedence: list', { headers: ['Precedence: list'] }],
    ['list', 'List-Id', { headers: ['List-Id: News <news.example.org>'] }],
    ['automatic', 'X-Autoreply', { headers: ['X-Autoreply: yes'] }],
    ['automatic', 'X-Autorespond', { headers: ['X-Autorespond: away'] }],
    ['bounce', 'an empty return path', { envelope_from: '' }],
    [
      'bounce',
      'a report',
      { headers: ['Content-Type: multipart/report; report-type=delivery-status; boundary=x'] },
    ],
    ['bot', 'the channel itself', { from: 'shop@agents.example.net' }],
    ['bot', 'a thread of the channel', { from: `shop+${token}@agents.example.net` }],
    [
      'loop',
      'more than 20 servers',
      { headers: Array.from({ length: 21 }, () => 'Received: from a by b; Mon') },
    ],
    ['loop', 'our own header', { headers: ['X-Svc-Channel: other@agents.example.net'] }],
    ['loop', 'X-Loop of ours', { headers: ['X-Loop: shop@agents.example.net'] }],
    [null, 'X-Loop of others', { headers: ['X-Loop: list@example.com'] }],
  ])('%s: %s', async (skip, _name, written) => {
    expect(await read(written)).toMatchObject({ skip })
  })
})

describe('who sent it', () => {
  const by = (results: string) => ({ verdict: `Authentication-Results: mx.example.net; ${results}` })
  test.each<[boolean, string, Written]>([
    [true, 'DMARC passes', {}],
    [
      true,
      'with a version and comments',
      {
        verdict:
          'Authentication-Results: MX.example.net 1 (checked);\r\n\tdmarc = pass (p=none; all) header.from = example.org',
      },
    ],
    [true, 'DKIM of the domain', by('dmarc=none; dkim=pass header.d=example.org header.s=s1')],
    [
      true,
      'DKIM of the organization',
      by('dkim=fail header.d=example.org; dkim=pass header.d=mail.example.org'),
    ],
    [true, 'SPF of the organization', by('spf=pass smtp.mailfrom="bounce@lists.example.org"')],
    [false, 'nothing', { verdict: null }],
    [false, 'no results', by('none')],
    [false, 'DMARC fails', by('dmarc=fail header.from=example.org; spf=pass smtp.mailfrom=ada@example.org')],
    [false, 'DMARC of another domain', by('dmarc=pass header.from=example.com')],
    [false, 'DKIM of another domain', by('dkim=pass header.d=example.com')],
    [false, 'SPF of another domain', by('spf=pass smtp.mailfrom=ada@example.com')],
    [
      false,
      'a neighbour under a public suffix',
      { ...by('dkim=pass header.d=b.github.io'), from: 'ada@a.github.io' },
    ],
    [false, 'another server', { verdict: 'Authentication-Results: mx.example.com; dmarc=pass' }],
    [
      false,
      'a server whose name begins as ours',
      { verdict: 'Authentication-Results: mx.example.net.evil.example; dmarc=pass' },
    ],
    [
      false,
      'a result in a comment',
      by('spf=fail (dmarc=pass; dkim=pass header.d=example.org) smtp.mailfrom=x@example.com'),
    ],
    [false, 'a result in a quoted text', by('spf=fail reason="; dmarc=pass" smtp.mailfrom=x@example.com')],
    [
      false,
      'a forged one below that of the server',
      {
        ...by('dmarc=fail header.from=example.org'),
        headers: ['Authentication-Results: mx.example.net; dmarc=pass'],
      },
    ],
    [false, 'two writers', { from: 'ada@example.org, bob@example.org' }],
    [false, 'two headers', { headers: ['From: bob@example.org'] }],
    [false, 'a group', { from: 'All: ada@example.org;' }],
    [false, 'no writer', { from: '' }],
  ])('%s: %s', async (authenticated, _name, written) => {
    const { mail, sender } = await read(written)
    expect(mail?.authenticated).toBe(authenticated)
    if (!authenticated) expect(sender.id).toMatch(/^unauthenticated:/)
  })
})

test('what was not proven has no name that a proven mail has', async () => {
  const raw = Buffer.from('From: ada@example.org\r\nMessage-ID: <m1@example.org>\r\n\r\nHello')
  const read = await readMail({ raw, address: 'shop@agents.example.net', authserv_id: 'mx.example.net' })
  expect(read).toMatchObject({
    platform_id: 'unauthenticated:m1@example.org',
    message_key: 'unauthenticated:m1@example.org',
  })
})

test('an answer by the token has the words above our line alone', async () => {
  const body = ['Yes, do', '', 'On Mon, svc wrote:', '> -- reply above this line --', '> The question'].join(
    '\r\n',
  )
  expect(await read({ to: `shop+${token}@agents.example.net`, body })).toMatchObject({
    text: 'Yes, do',
    mail: {
      quoted: expect.stringContaining('> The question'),
      token_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  })
})

test('of HTML alone the text is read, and nothing is fetched', async () => {
  const body = '<p>Do <b>it</b></p><img src="http://127.0.0.1:1/x.png"><script>alert(1)</script>'
  const { text } = await read({ headers: ['Content-Type: text/html; charset=utf-8'], body })
  expect(text).toContain('Do it')
  expect(text).not.toContain('alert')
})

test('files have their names, types and sizes', async () => {
  const body = [
    '--x',
    'Content-Type: text/plain',
    '',
    'See it',
    '--x',
    'Content-Type: text/csv; name="a.csv"',
  ]
    .concat(['Content-Disposition: attachment; filename="a.csv"', '', '1,2', '--x--', ''])
    .join('\r\n')
  expect(await read({ headers: ['Content-Type: multipart/mixed; boundary=x'], body })).toMatchObject({
    text: 'The shop\n\nSee it',
    files: [{ name: 'a.csv', type: 'text/csv', bytes: 3, url: 'mail:0' }],
  })
})

test('signs that no row takes are left out, and a mail without a name is named by its content', async () => {
  const { text, ref } = await read({ headers: ['Message-ID: '], body: 'a\0b\u0007c' })
  expect(text).toBe('The shop\n\nabc')
  expect(ref).toMatch(/^[0-9a-f]{64}@unnamed\.invalid$/)
  const long = await read({ headers: [`Message-ID: <${'x'.repeat(400)}@example.org>`] })
  expect(long.ref).toMatch(/@unnamed\.invalid$/)
})
