import type { Outgoing, OutgoingName } from '@svc/channel'
import { escapedHtml, html, linkHtml } from '@svc/channel/html'
import { type Own, ownField } from '../read/own.ts'
import { keyed, textKey } from './keys.ts'

/** The content of `m.room.message`. */
export interface MatrixMessage {
  readonly msgtype: 'm.text'
  readonly body: string
  readonly format: 'org.matrix.custom.html'
  readonly formatted_body: string
  /** Of no person: a name in the text calls none. */
  readonly 'm.mentions': Readonly<Record<string, never>>
  readonly [ownField]?: Own
}

/** An event has 65,536 bytes at most, with what the homeserver adds. */
const maxBytes = 56_000
const minChars = 200

/** A message as Matrix has it. `name` is in a field of ours, so that a press says which message it is of. */
export function render(message: Outgoing, name?: OutgoingName): MatrixMessage {
  let text = wellFormed(message.text)
  for (;;) {
    const drawn = draw({ ...message, text }, name)
    if (Buffer.byteLength(JSON.stringify(drawn)) <= maxBytes || text.length < minChars) return drawn
    text = cut(text, Math.floor(text.length * 0.8))
  }
}

/** In a thread; clients that show none see a reply to its first message. */
export function inThread<T extends object>(message: T, root: string) {
  const reply = { is_falling_back: true, 'm.in_reply_to': { event_id: root } }
  return { ...message, 'm.relates_to': { rel_type: 'm.thread', event_id: root, ...reply } }
}

/** In the place of an earlier one; clients that know no edits see its beginning. */
export function inPlaceOf(message: MatrixMessage, ref: string) {
  return {
    ...{ msgtype: message.msgtype, body: `* ${cut(message.body, 500)}`, 'm.mentions': {} },
    'm.new_content': message,
    'm.relates_to': { rel_type: 'm.replace', event_id: ref },
  }
}

function draw(
  { title, text, footer, buttons = [], input }: Outgoing,
  name: OutgoingName | undefined,
): MatrixMessage {
  const keys = name === undefined ? [] : keyed(buttons)
  const acts = keys.map(({ key, label }) =>
    key === textKey ? `${key} ${label}: reply to this message with the text` : `${key} ${label}`,
  )
  const links = buttons.flatMap(({ label, url }) => (url === undefined ? [] : { label, url }))
  const body = [
    title && `**${title}**`,
    text,
    [...acts, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n'),
    footer,
  ]
  const rows = [...acts.map(escapedHtml), ...links.map(({ label, url }) => linkHtml(url, label))]
  const formatted = [
    title && `<p><strong>${escapedHtml(title)}</strong></p>`,
    html(text),
    rows.length > 0 && `<p>${rows.join('<br>')}</p>`,
    footer && `<p><sub>${inlineHtml(footer)}</sub></p>`,
  ]
  const own = name && {
    ...{ message_id: name.message_id, revision: name.revision },
    buttons: keys.map(({ id, key }) => ({ id, key })),
    input: input !== undefined && keys.some(({ key }) => key === textKey),
  }
  return {
    msgtype: 'm.text',
    body: wellFormed(body.filter(Boolean).join('\n\n')) || '—',
    format: 'org.matrix.custom.html',
    formatted_body: wellFormed(formatted.filter(Boolean).join('\n')) || '—',
    'm.mentions': {},
    ...(own && { [ownField]: own }),
  }
}

const inlineHtml = (markdown: string) =>
  html(markdown)
    .replace(/^<p>/, '')
    .replace(/<\/p>$/, '')

const cut = (text: string, max: number) =>
  text.length <= max
    ? text
    : `${wellFormed(text.slice(0, max))
        .replace(/\uFFFD$/, '')
        .trimEnd()}…`

/** Half a character is none that a homeserver takes. */
const wellFormed = (text: string) => text.replaceAll(/\p{Surrogate}/gu, '\uFFFD')
