import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesFilter, renderSessionKey, sessionKeyLength } from './filter.ts'
import { bodyValue, cronPayload, manualPayload, webhookPayload } from './payload.ts'
import { cutNote, outsideNotice, promptBytes, renderPrompt } from './prompt.ts'
import { renderTemplate } from './template.ts'

const payload = {
  text: 'words',
  count: 3,
  zero: 0,
  no: false,
  nothing: null,
  list: [1, { deep: 'x' }],
  object: { a: { b: 'c' }, 'key-with-dash': 'd' },
}

test.each([
  ['{{ text }}', 'words'],
  ['{{text}}', 'words'],
  ['{{\n text\t}}', 'words'],
  ['a {{ text }} b {{ count }} c', 'a words b 3 c'],
  ['{{ zero }}{{ no }}', '0false'],
  ['{{ nothing }}|{{ missing }}|{{ object.missing.deeper }}|{{ text.length }}', '|||'],
  ['{{ list }}', '[1,{"deep":"x"}]'],
  ['{{ list.1.deep }} {{ list.length }}', 'x '],
  ['{{ object }}', '{"a":{"b":"c"},"key-with-dash":"d"}'],
  ['{{ object.a.b }} {{ object.key-with-dash }}', 'c d'],
  ['{{ constructor }}{{ object.constructor.name }}{{ __proto__ }}{{ text.constructor }}', ''],
  ['{{ object.toString }}{{ object.hasOwnProperty }}', ''],
  [
    '{ text } {{{ text }}} {{ two words }} {{}} {{ a..b }}',
    '{ text } {words} {{ two words }} {{}} {{ a..b }}',
  ],
  ['no placeholders', 'no placeholders'],
])('%j renders %j', (template, text) => expect(renderTemplate(template, payload)).toBe(text))

test('values are never templates again, nor patterns of a replacement', () => {
  const hostile = { a: '{{ secret }}', secret: 'S', b: '$& $1 $$' }
  expect(renderTemplate('{{ a }} {{ b }}', hostile)).toBe('{{ secret }} $& $1 $$')
})

test('keys that JSON may hold do not reach a prototype', () => {
  const body = bodyValue(Buffer.from('{"__proto__":{"x":"polluted"},"constructor":{"name":"y"}}'))
  expect(renderTemplate('{{ body.__proto__.x }}{{ body.constructor.name }}{{ body.x }}', { body })).toBe('')
})

test('a getter is never run', () => {
  const trap = Object.defineProperty({}, 'x', {
    get: () => {
      throw new Error('it ran')
    },
    enumerable: true,
  })
  expect(renderTemplate('{{ trap.x }}', { trap })).toBe('')
})

test('what is nested too deep to be written is left out', () => {
  const body = bodyValue(Buffer.from('['.repeat(400_000) + ']'.repeat(400_000)))
  expect(renderTemplate('a{{ body }}b', { body })).toMatch(/^a.*b$/)
})

test('hostile templates cost in proportion to their length', () => {
  for (const unit of ['{{', '{{ ', '{{ a', '{{ a.', '}}', '{{a}}', '{{ a b', '{']) {
    const template = unit.repeat(400_000)
    expect(renderTemplate(template, { a: '' }).length).toBeLessThanOrEqual(template.length)
  }
})

test('any template and any payload render to text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (template, value) => {
      const rendered = renderTemplate(`${template}{{ value }}`, { value })
      expect(typeof rendered).toBe('string')
    }),
    { numRuns: 300 },
  )
})

describe('the prompt', () => {
  test('is cut at 64 KiB with a note, at a whole character', () => {
    const cut = renderPrompt('{{ text }}', { text: '😀'.repeat(40_000) }, 'manual')
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(promptBytes)
    expect(Buffer.byteLength(cut)).toBeGreaterThan(promptBytes - 4)
    expect(cut.endsWith(cutNote)).toBe(true)
    expect(cut).not.toContain('\ufffd')
    const whole = 'x'.repeat(promptBytes)
    expect(renderPrompt('{{ text }}', { text: whole }, 'manual')).toBe(whole)
    expect(renderPrompt('{{ text }}', { text: `${whole}y` }, 'manual').endsWith(cutNote)).toBe(true)
  })

  test('stops reading values once it is full', () => {
    const template = '{{ text }}'.repeat(100_000)
    expect(Buffer.byteLength(renderPrompt(template, { text: 'x'.repeat(1_000_000) }, 'cron'))).toBe(
      promptBytes,
    )
  })

  test.each([
    ['webhook', true],
    ['monitor', true],
    ['cron', false],
    ['manual', false],
  ] as const)('of a %s fire carries the notice: %s', (kind, told) => {
    expect(renderPrompt('hello', {}, kind)).toBe(told ? `${outsideNotice}hello` : 'hello')
  })

  test('holds nothing that PostgreSQL refuses', () => {
    expect(renderPrompt('a{{ text }}b', { text: '\0\ud83d' }, 'cron')).toBe('a\ufffd\ufffdb')
  })
})

const names = { slug: 's', type: 'cron' } as const
const fired_at = new Date('2026-03-01T10:00:00Z')

test('cron fires know their schedule and no top-level fired_at', () => {
  const fire = { ...names, schedule: '0 0 10 * * *', timezone: 'UTC', fired_at, last_fired_at: null }
  const template =
    '{{trigger.slug}} {{trigger.type}} {{trigger.kind}} {{cron.schedule}} {{cron.timezone}} {{cron.fired_at}}[{{cron.last_fired_at}}][{{fired_at}}]'
  expect(renderTemplate(template, cronPayload(fire))).toBe(
    's cron git 0 0 10 * * * UTC 2026-03-01T10:00:00.000Z[][]',
  )
  expect(renderTemplate('{{cron.last_fired_at}}', cronPayload({ ...fire, last_fired_at: fired_at }))).toBe(
    '2026-03-01T10:00:00.000Z',
  )
})

test('manual fires carry the person and their words', () => {
  const template = '{{fired_at}} {{source}} {{actor}} {{message.text}} {{message.source}}'
  expect(renderTemplate(template, manualPayload({ ...names, fired_at, actor: 'u', text: 'go' }))).toBe(
    '2026-03-01T10:00:00.000Z manual u go manual',
  )
})

test('webhook fires carry three headers and the body', () => {
  const headers = new Headers({
    'Content-Type': 'application/json',
    'User-Agent': 'ua',
    'X-Forwarded-For': '1.2.3.4',
    'X-Svc-Token': 'secret',
  })
  const of = (text: string | Uint8Array) =>
    webhookPayload({
      slug: 'w',
      type: 'webhook',
      fired_at,
      headers: (name) => headers.get(name),
      body: Buffer.from(text),
    })
  const json = of('{"action":"opened","n":[1]}')
  expect(renderTemplate('{{fired_at}} {{body.action}} {{body.n.0}}', json)).toBe(
    '2026-03-01T10:00:00.000Z opened 1',
  )
  expect(
    renderTemplate('{{headers.content_type}} {{headers.user_agent}} {{headers.forwarded_for}}', json),
  ).toBe('application/json ua 1.2.3.4')
  expect(JSON.stringify(json)).not.toContain('secret')
  expect(renderTemplate('{{body.raw}}', of('a=b'))).toBe('a=b')
  expect(renderTemplate('[{{body.raw}}]', of(''))).toBe('[]')
  expect(renderTemplate('{{body.a}}', of('\ufeff{"a":1}'))).toBe('1')
  expect(renderTemplate('{{body.raw}}', of(Uint8Array.from([0xff])))).toBe('\ufffd')
})

test('every path of a filter has to have its text', () => {
  const value = { body: { action: 'opened', n: 1, yes: true, list: [1] } }
  expect(matchesFilter({}, value)).toBe(true)
  expect(matchesFilter({ 'body.action': 'opened', 'body.n': '1', 'body.yes': 'true' }, value)).toBe(true)
  expect(matchesFilter({ 'body.action': 'opened', 'body.n': '2' }, value)).toBe(false)
  expect(matchesFilter({ 'body.action': 'Opened' }, value)).toBe(false)
  expect(matchesFilter({ 'body.missing': 'x' }, value)).toBe(false)
  expect(matchesFilter({ 'body.missing': '' }, value)).toBe(true)
  expect(matchesFilter({ 'body.list': '[1]' }, value)).toBe(true)
  expect(matchesFilter({ 'body.constructor.name': 'Object' }, value)).toBe(false)
})

test('a session key is trimmed and cut; nothing left is no key', () => {
  expect(renderSessionKey(' {{ text }} ', payload)).toBe('words')
  expect(renderSessionKey('{{ missing }} ', payload)).toBe('')
  expect(renderSessionKey(null, payload)).toBe('')
  expect([...renderSessionKey('{{ text }}', { text: '😀'.repeat(600) })]).toHaveLength(sessionKeyLength)
})
