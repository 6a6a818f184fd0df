import type { Outgoing } from '@svc/channel'
import { escapedHtml, html, linkHtml } from '@svc/channel/html'
import { marker } from '../read/reply.ts'

export interface RenderedMail {
  /** Of a mail that begins a thread. */
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A message as a mail. Its buttons are links: what acts stands on the page, since scanners of mails open links. */
export function render(message: Outgoing): RenderedMail {
  const { title, text, footer } = message
  const links = linksOf(message)
  const plain = [
    marker,
    title,
    text,
    answersOf(message),
    links.map(({ label, url }) => `${label}: ${url}`).join('\n'),
    footer,
  ]
  const rich = [
    `<p style="color:#888888">${marker}</p>`,
    title === undefined ? '' : `<p><strong>${escapedHtml(title)}</strong></p>`,
    html(text),
    paragraph(answersOf(message)),
    links.length === 0 ? '' : `<p>${links.map(({ label, url }) => linkHtml(url, label)).join('<br>\n')}</p>`,
    footer === undefined ? '' : `<p style="color:#888888">${escapedHtml(footer)}</p>`,
  ]
  return {
    subject: oneLine(title ?? text).slice(0, 150) || 'A message',
    text: `${plain.filter(Boolean).join('\n\n')}\n`,
    html: `${rich.filter(Boolean).join('\n')}\n`,
  }
}

/** The answers that the page takes, in words. */
function answersOf({ buttons = [], input }: Outgoing): string | undefined {
  const labels = buttons.filter(({ url }) => url === undefined).map(({ label }) => label)
  if (labels.length === 0) return undefined
  return `Answers: ${labels.join(' · ')}${input === undefined ? '' : `. ${input.label} can be written there.`}`
}

function linksOf({ buttons = [], page }: Outgoing): { readonly label: string; readonly url: string }[] {
  const links = buttons.flatMap(({ label, url }) => (url === undefined ? [] : [{ label, url }]))
  const isThere = page === undefined || links.some(({ url }) => url === page)
  const acts = buttons.some(({ url }) => url === undefined)
  return isThere || !acts ? links : [{ label: 'Answer in the dashboard', url: page }, ...links]
}

const paragraph = (text: string | undefined) => (text === undefined ? '' : `<p>${escapedHtml(text)}</p>`)

const oneLine = (text: string) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
