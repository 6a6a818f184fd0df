import type { KnownBlock } from '@slack/types'
import type { Outgoing } from '@svc/channel'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { areBlocks } from '../../tests/fake-slack/blocks.ts'
import { messageIdOf } from './block-id.ts'
import { render } from './render.ts'

const name = { message_id: 'm1', revision: 2 }
const typesOf = (message: Outgoing) => render(message, name).blocks.map(({ type }) => type)

test('a card is a title, its words, a box, its buttons and small print', () => {
  const card = {
    title: 'Change request',
    text: 'Merge **it**?',
    input: { label: 'Comment' },
    buttons: [
      { id: 'merge', label: 'Merge', style: 'primary' as const },
      { id: 'page', label: 'Open', url: 'https://x.example' },
    ],
    footer: 'by *Ada*',
  }
  expect(render(card, name)).toEqual({
    text: 'Change request\nMerge *it*?',
    blocks: [
      {
        type: 'header',
        block_id: 'svc:m1:2:0',
        text: { type: 'plain_text', text: 'Change request', emoji: false },
      },
      {
        type: 'section',
        block_id: 'svc:m1:2:1',
        text: { type: 'mrkdwn', text: 'Merge *it*?', verbatim: true },
      },
      {
        type: 'input',
        block_id: 'svc:m1:2:2',
        label: { type: 'plain_text', text: 'Comment', emoji: false },
        element: { type: 'plain_text_input', action_id: 'svc:text', multiline: true },
        optional: true,
      },
      {
        type: 'actions',
        block_id: 'svc:m1:2:3',
        elements: [
          {
            type: 'button',
            action_id: 'svc:0',
            text: { type: 'plain_text', text: 'Merge', emoji: false },
            style: 'primary',
            value: 'merge',
          },
          {
            type: 'button',
            action_id: 'svc:1',
            text: { type: 'plain_text', text: 'Open', emoji: false },
            url: 'https://x.example',
          },
        ],
      },
      {
        type: 'context',
        block_id: 'svc:m1:2:4',
        elements: [{ type: 'mrkdwn', text: 'by _Ada_', verbatim: true }],
      },
    ],
  })
})

test('buttons are five in a row', () => {
  const buttons = Array.from({ length: 12 }, (_, n) => ({ id: `${n}`, label: `${n}` }))
  expect(typesOf({ text: 'x', buttons })).toEqual(['section', 'actions', 'actions', 'actions'])
})

test('short paragraphs share a section, long ones have more than one', () => {
  expect(typesOf({ text: 'a\n\n# b\n\n- c' })).toEqual(['section'])
  const { blocks, text } = render({ text: 'word '.repeat(1_400) }, name)
  expect(blocks.map(({ type }) => type)).toEqual(['section', 'section', 'section'])
  expect(text.length).toBeLessThanOrEqual(3_900)
})

test('code that is longer than a section stays code', () => {
  const { blocks } = render({ text: `\`\`\`\n${'a line of code;\n'.repeat(400)}\`\`\`` }, name)
  expect(blocks.length).toBeGreaterThan(2)
  for (const block of blocks) expect(textsOf(block)[0]).toMatch(/^```\n[^]*\n```$/)
})

test('a message of nothing is one all the same', () => {
  expect(render({ text: '' })).toEqual({ blocks: [], text: '—' })
  expect(render({ text: ' ', title: 'Title' }).text).toBe('Title')
})

test('a press of a block names the message', () => {
  const [block] = render(
    { text: 'x' },
    { message_id: '0b5c1b86-7d6b-4b0e-9a53-6d4cf9a0f2cb', revision: 3 },
  ).blocks
  expect(messageIdOf(block?.block_id)).toBe('0b5c1b86-7d6b-4b0e-9a53-6d4cf9a0f2cb')
  expect([messageIdOf('svc:x'), messageIdOf('other'), messageIdOf(undefined)]).toEqual([null, null, null])
})

const textsOf = (block: KnownBlock): string[] => {
  if (block.type === 'section') return [block.text?.text ?? '']
  if (block.type === 'context')
    return block.elements.map((element) => ('text' in element ? element.text : ''))
  return []
}

test('whatever an agent writes, Slack takes it, and it calls no person, group or conversation', () => {
  const signs =
    '<!channel> <@U1> <#C1> <!here|x> [a]( ) ](https://x.example/ ![ ** __ ~~ ` ``` > - 1. # | & &lt; &amp; \\ \n \n\n 🙂 word " \'  \t'
  const markdown = fc
    .array(fc.oneof(fc.constantFrom(...signs.split(' ')), fc.string({ maxLength: 12 })), { maxLength: 60 })
    .map((parts) => parts.join(''))
  const long = fc.tuple(markdown, fc.integer({ min: 1, max: 60 })).map(([text, times]) => text.repeat(times))
  const message = fc.record(
    {
      text: fc.oneof(markdown, long),
      title: fc.string({ maxLength: 150 }),
      footer: markdown,
      input: fc.record({ label: fc.string({ maxLength: 150 }) }),
      buttons: fc.array(
        fc.record({ id: fc.string({ maxLength: 200 }), label: fc.string({ maxLength: 75 }) }),
        {
          maxLength: 25,
        },
      ),
    },
    { requiredKeys: ['text'] },
  )
  fc.assert(
    fc.property(message, (message) => {
      const { blocks, text } = render(message, name)
      expect(areBlocks(blocks)).toBe(true)
      expect(text.length).toBeGreaterThan(0)
      expect(text.length).toBeLessThanOrEqual(3_900)
      for (const said of [text, ...blocks.flatMap(textsOf)])
        expect(said.replaceAll(/<(https?:\/\/|mailto:)[^<>\s|]*(\|[^<>|]*)?>/gi, '')).not.toMatch(/</)
    }),
    { numRuns: 300 },
  )
})
