import type { Button as SlackButton, InputBlock, KnownBlock } from '@slack/types'
import type { Button, Outgoing, OutgoingName } from '@svc/channel'
import { blockId } from './block-id.ts'
import { escaped } from './escape.ts'
import { fenced, mrkdwn, type Part } from './mrkdwn.ts'
import { cut, pieces } from './split.ts'

/** A message as Slack is sent it, apart from its place. */
export interface SlackMessage {
  readonly blocks: KnownBlock[]
  /** For notifications, and where blocks are not shown. */
  readonly text: string
}

const maxBlocks = 50
const maxSection = 3_000
/** `chat.update` takes no more than 4,000. */
const maxText = 3_900
const perRow = 5
const textBox = 'svc:text'

/** A message in Slack's blocks. `name` is in their ids, so that a press says which message it is of. */
export function render(message: Outgoing, name?: OutgoingName): SlackMessage {
  const parts = mrkdwn(message.text)
  const head: KnownBlock[] = message.title ? [header(message.title)] : []
  const tail: KnownBlock[] = [
    ...(message.input === undefined ? [] : [input(message.input.label)]),
    ...rowsOf(message.buttons ?? []),
    ...(message.footer ? [footer(message.footer)] : []),
  ]
  const blocks = [...head, ...sections(parts, maxBlocks - head.length - tail.length), ...tail]
  const named = blocks.map((block, index) =>
    name === undefined ? block : { ...block, block_id: blockId(name, index) },
  )
  return { blocks: named, text: fallback(message, parts) }
}

function header(title: string): KnownBlock {
  return { type: 'header', text: { type: 'plain_text', text: cut(title, 150), emoji: false } }
}

function sections(parts: readonly Part[], max: number): KnownBlock[] {
  const texts = texted(parts)
  const kept = texts.length <= max ? texts : [...texts.slice(0, max - 1), '…']
  return kept.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }))
}

/** As few texts as hold the parts, none of them longer than a section may be. */
function texted(parts: readonly Part[]): string[] {
  const texts: string[] = []
  for (const text of parts.flatMap(fitting)) {
    const last = texts.at(-1)
    if (last !== undefined && last.length + 2 + text.length <= maxSection)
      texts[texts.length - 1] = `${last}\n\n${text}`
    else texts.push(text)
  }
  return texts
}

function fitting({ text, isCode }: Part): string[] {
  if (!isCode) return pieces(text, maxSection)
  // Room for fences, and for those of the code, which grow.
  return pieces(text, 1_750).map(fenced)
}

function footer(text: string): KnownBlock {
  const small = cut(
    mrkdwn(text)
      .map(({ text }) => text)
      .join(' '),
    2_000,
  )
  return { type: 'context', elements: [{ type: 'mrkdwn', text: small || '—', verbatim: true }] }
}

function input(label: string): InputBlock {
  return {
    type: 'input',
    label: { type: 'plain_text', text: label || '…', emoji: false },
    element: { type: 'plain_text_input', action_id: textBox, multiline: true },
    optional: true,
  }
}

function rowsOf(buttons: readonly Button[]): KnownBlock[] {
  const all = buttons.map(button)
  return Array.from({ length: Math.ceil(all.length / perRow) }, (_, row) => ({
    type: 'actions',
    elements: all.slice(row * perRow, (row + 1) * perRow),
  }))
}

function button({ id, label, style, url }: Button, index: number): SlackButton {
  return {
    type: 'button',
    action_id: `svc:${index}`,
    text: { type: 'plain_text', text: cut(label, 75) || '…', emoji: false },
    ...(style && { style }),
    // A button that opens a page comes back as well: by its value it is known for one that acts.
    ...(url === undefined ? { value: id } : { url }),
  }
}

function fallback({ title, footer }: Outgoing, parts: readonly Part[]): string {
  const body = parts.map(({ text, isCode }) => (isCode ? fenced(text) : text)).join('\n\n')
  const text = [title && escaped(title), body].filter(Boolean).join('\n')
  return cut(text || escaped(footer ?? '') || '—', maxText)
}
