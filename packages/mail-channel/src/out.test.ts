import { MessageRefused } from '@svc/channel'
import { expect, test } from 'vitest'
import { mailOf, sendingError } from './out.ts'

const writer = { address: { local: 'shop', domain: 'agents.example.net' }, name: 'Shop "x" <y>' }
const letter = {
  ...{ to: 'ada@example.org', subject: 'RE: re: The shop', token: 'f'.repeat(32) },
  ...{ in_reply_to: 'm1@example.org', references: ['m0@example.org', 'm1@example.org'] },
}

test('a mail that answers has the headers by which it is no loop and stays in its thread', () => {
  expect(mailOf(writer, letter, { text: 'Done' }, 'id1')).toMatchObject({
    from: '"Shop x y" <shop@agents.example.net>',
    reply_to: `shop+${'f'.repeat(32)}@agents.example.net`,
    ...{ to: 'ada@example.org', subject: 'Re: The shop', message_id: 'id1@agents.example.net' },
    ...{ in_reply_to: 'm1@example.org', references: ['m0@example.org', 'm1@example.org'] },
    headers: {
      'Auto-Submitted': 'auto-replied',
      'X-Auto-Response-Suppress': 'All',
      'X-Svc-Channel': 'shop@agents.example.net',
    },
  })
})

test('one that answers none says so, and its subject is its title', () => {
  const fresh = { ...letter, subject: null, token: null, in_reply_to: null, references: [] }
  const mail = mailOf(writer, fresh, { title: 'A word', text: 'Hello' }, 'id1')
  expect(mail).toMatchObject({ subject: 'A word', reply_to: 'shop@agents.example.net' })
  expect(mail.headers['Auto-Submitted']).toBe('auto-generated')
  expect(mail).not.toHaveProperty('in_reply_to')
})

test('buttons are links to the page where they stand, and nothing that acts', () => {
  const card = {
    ...{ title: 'The agent asks', text: 'Which **colour**?', page: 'https://svc.example/s/1' },
    input: { label: 'Another answer' },
    buttons: [
      { id: 'option:0', label: 'Red' },
      { id: 'reject', label: 'Reject' },
    ],
  }
  const { text, html } = mailOf(writer, letter, card, 'id1')
  expect(text).toBe(
    '-- reply above this line --\n\nThe agent asks\n\nWhich **colour**?\n\nAnswers: Red · Reject. Another answer can be written there.\n\nAnswer in the dashboard: https://svc.example/s/1\n',
  )
  expect(html).toContain('<strong>colour</strong>')
  expect(html.match(/href="[^"]*"/g)).toEqual(['href="https://svc.example/s/1"'])
})

test('HTML of agents is text, and pictures are links', () => {
  const { html } = mailOf(
    writer,
    letter,
    { text: '<script>x</script> ![a](https://evil.example/p.png)' },
    'id1',
  )
  expect(html).toContain('&lt;script&gt;')
  expect(html).not.toContain('<img')
})

test('a code of 500 is a refusal of the mail, but not that of the account', () => {
  expect(sendingError(Object.assign(new Error(), { responseCode: 550 }))).toBeInstanceOf(MessageRefused)
  for (const more of [{ responseCode: 451 }, { responseCode: 535, code: 'EAUTH' }, { code: 'ECONNECTION' }])
    expect(sendingError(Object.assign(new Error(), more))).not.toBeInstanceOf(MessageRefused)
})
