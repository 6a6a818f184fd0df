import { askCard, changeRequestCard } from '@svc/channel'
import { html } from '@svc/channel/html'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameKey, keyed } from './keys.ts'
import { inPlaceOf, inThread, render } from './render.ts'

const name = { message_id: 'm1', revision: 2 }
const card = changeRequestCard({
  ...{ number: 7, title: 'Fix <it>', description: 'Why & how', status: 'open', base_ref: 'main' },
  ...{ url: 'https://x.example/cr/7?a=1&b=2', footer: 'Not merged: *conflict*' },
})

test('a card is a title, its words, its buttons and small print', () => {
  const message = render(card, name)
  expect(message.body).toBe(
    [
      '**Change request #7**',
      '**Fix <it>**\nInto `main` · open\nWhy & how',
      '✅ Merge\n✏️ Request changes: reply to this message with the text\n🛑 Close\nLook at it: https://x.example/cr/7?a=1&b=2',
      'Not merged: *conflict*',
    ].join('\n\n'),
  )
  expect(message.formatted_body).toBe(
    [
      '<p><strong>Change request #7</strong></p>',
      '<p><strong>Fix &lt;it&gt;</strong>\nInto <code>main</code> · open\nWhy &amp; how</p>',
      '<p>✅ Merge<br>✏️ Request changes: reply to this message with the text<br>🛑 Close<br><a href="https://x.example/cr/7?a=1&amp;b=2">Look at it</a></p>',
      '<p><sub>Not merged: <em>conflict</em></sub></p>',
    ].join('\n'),
  )
  expect(message['dev.svc.message']).toEqual({
    ...{ message_id: 'm1', revision: 2, input: true },
    buttons: [
      { id: 'merge', key: '✅' },
      { id: 'request_changes', key: '✏️' },
      { id: 'close', key: '🛑' },
    ],
  })
})

test('a message without a name has no field of ours, and its buttons are links', () => {
  const buttons = [{ id: 'open', label: 'Link yourself', url: 'javascript:alert(1)' }]
  expect(render({ text: '', buttons })).toEqual({
    ...{ msgtype: 'm.text', format: 'org.matrix.custom.html', 'm.mentions': {} },
    body: 'Link yourself: javascript:alert(1)',
    formatted_body: '<p>Link yourself</p>',
  })
  expect(render({ text: '' })).toMatchObject({ body: '—', formatted_body: '—' })
})

test('each button has a reaction of its own', () => {
  const options = Array.from({ length: 12 }, (_, n) => ({ label: `Option ${n}` }))
  const body = { questions: [{ question: 'Which?', options }] }
  const asked = askCard({ kind: 'question', body, phrase: 'Which?', url: 'https://x.example' })
  const keys = keyed(asked.buttons ?? []).map(({ key }) => key)
  expect(keys).toEqual([...'1️⃣ 2️⃣ 3️⃣ 4️⃣ 5️⃣ 6️⃣ 7️⃣ 8️⃣ 9️⃣ 🔟 11 12 ✏️ 🛑'.split(' ')])
  const twice = [1, 2].map((n) => ({ id: `${n}`, label: `${n}`, style: 'primary' as const }))
  expect(keyed(twice).map(({ key }) => key)).toEqual(['✅', '1️⃣'])
  expect(isSameKey('✏', '✏️')).toBe(true)
  expect(isSameKey('✅', '🛑')).toBe(false)
})

test.each([
  ['raw HTML', '<b>x</b><script>', '<p>&lt;b&gt;x&lt;/b&gt;&lt;script&gt;</p>'],
  ['a picture', '![x](https://x.example/a.png)', '<p><a href="https://x.example/a.png">x</a></p>'],
  ['a script as a link', '[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
  ['an address', 'see https://x.example', '<p>see <a href="https://x.example">https://x.example</a></p>'],
  ['a file', 'main.ts', '<p>main.ts</p>'],
])('%s', (_what, markdown, expected) => expect(html(markdown)).toBe(expected))

test('a thread and an edit are relations', () => {
  const message = render({ text: 'x'.repeat(600) }, name)
  expect(inThread(message, '$root')['m.relates_to']).toEqual({
    ...{ rel_type: 'm.thread', event_id: '$root', is_falling_back: true },
    'm.in_reply_to': { event_id: '$root' },
  })
  const edit = inPlaceOf(message, '$ref')
  expect(edit).toMatchObject({ 'm.new_content': message, 'm.mentions': {} })
  expect(edit['m.relates_to']).toEqual({ rel_type: 'm.replace', event_id: '$ref' })
  expect(edit.body).toHaveLength(2 + 500 + 1)
})

test('any message fits into an event, in whole characters, and calls no person', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20_000 }), (text, times) => {
      const message = render({ ...card, text: `${text}🙂<&`.repeat(times).slice(0, 40_000) }, name)
      const sent = JSON.stringify(inPlaceOf(message, '$ref'))
      expect(Buffer.byteLength(sent)).toBeLessThan(62_000)
      expect(sent).not.toMatch(/\\ud[89a-f]/i)
      expect(message['m.mentions']).toEqual({})
    }),
    { numRuns: 25 },
  )
})
