import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Button, Outgoing } from './outbound.ts'

const Question = z.object({
  question: z.string(),
  options: z.array(z.object({ label: z.string() })).default([]),
  multiple: z.boolean().optional(),
})
const Questions = z.object({ questions: z.array(Question) })

export interface AskCard {
  readonly kind: string
  readonly body: Readonly<Record<string, unknown>>
  /** The ask, in one line. */
  readonly phrase: string
  readonly url: string
}

export const askTitles = {
  question: 'The agent asks',
  permission: 'The agent waits for a permission',
} as const

/** A question or a permission, with a button for each answer. Several questions are answered on the page. */
export function askCard({ kind, body, phrase, url }: AskCard): Outgoing {
  const open: Button = { id: 'open', label: 'Open the session', url }
  if (kind === 'permission')
    return {
      title: askTitles.permission,
      text: phrase,
      page: url,
      buttons: [
        { id: 'once', label: 'Once', style: 'primary' },
        { id: 'always', label: 'Always' },
        { id: 'reject', label: 'Reject', style: 'danger' },
      ],
    }
  const parsed = Questions.safeParse(body)
  const [first, ...more] = parsed.success ? parsed.data.questions : []
  if (first === undefined || more.length > 0 || first.multiple === true)
    return { title: askTitles.question, text: phrase, buttons: [open] }
  return {
    title: askTitles.question,
    text: first.question,
    page: url,
    input: { label: 'Another answer' },
    buttons: [
      ...first.options
        .slice(0, 20)
        .map(({ label }, index): Button => ({ id: `option:${index}`, label: label.slice(0, 75) })),
      {
        id: 'text',
        label: 'Send the text',
        needs_text: true,
        ...(first.options.length === 0 ? { style: 'primary' as const } : {}),
      },
      { id: 'reject', label: 'Reject', style: 'danger' },
    ],
  }
}

export type AskReply =
  | { readonly reply: 'once' | 'always' | 'reject' }
  | { readonly answers: string[][] }
  | { readonly reject: true }

/** The answer that a press means; null for a text that is missing. */
export function askReply(
  { kind, body }: Pick<AskCard, 'kind' | 'body'>,
  { action, text }: { readonly action: string; readonly text: string | null },
): AskReply | null {
  if (kind === 'permission')
    return action === 'once' || action === 'always' || action === 'reject' ? { reply: action } : null
  if (action === 'reject') return { reject: true }
  const written = text?.trim() ?? ''
  if (action === 'text') return written === '' ? null : { answers: [[written]] }
  const [, index = ''] = /^option:(\d+)$/.exec(action) ?? []
  const parsed = Questions.safeParse(body)
  const option = parsed.success ? parsed.data.questions[0]?.options[Number(index)] : undefined
  return index === '' || option === undefined ? null : { answers: [[option.label]] }
}

/** Whether an answer that the agent took is this one. */
export function isReply(reply: AskReply, taken: Readonly<Record<string, unknown>>): boolean {
  if ('reject' in reply) return taken['state'] === 'rejected'
  if ('reply' in reply) return taken['reply'] === reply.reply
  return isDeepStrictEqual(taken['answers'], reply.answers)
}

export interface ChangeRequestCard {
  readonly number: number
  readonly title: string
  readonly description: string
  readonly status: string
  readonly base_ref: string
  readonly url: string
  /** The outcome of the last press, under the card. */
  readonly footer?: string | undefined
}

const descriptionChars = 1_500

/** A change request, with what may be done to it as it is now. */
export function changeRequestCard(card: ChangeRequestCard): Outgoing {
  const { number, title, description, status, base_ref, url, footer } = card
  const view: Button = { id: 'open', label: 'Look at it', url }
  const isOpen = status !== 'merged' && status !== 'closed'
  const words =
    description.length > descriptionChars ? `${description.slice(0, descriptionChars)}…` : description
  return {
    title: `Change request #${number}`.slice(0, 150),
    text: [`**${title}**`, `Into \`${base_ref}\` · ${status.replaceAll('_', ' ')}`, words]
      .filter(Boolean)
      .join('\n'),
    ...(footer === undefined ? {} : { footer }),
    ...(isOpen
      ? {
          page: url,
          input: { label: 'Changes to ask for' },
          buttons: [
            { id: 'merge', label: 'Merge', style: 'primary' },
            { id: 'request_changes', label: 'Request changes', needs_text: true },
            { id: 'close', label: 'Close', style: 'danger' },
            view,
          ],
        }
      : { buttons: [view] }),
  }
}

/** A card that takes no press any more. */
export const closedCard = (card: Outgoing, footer: string): Outgoing => ({
  ...(card.title === undefined ? {} : { title: card.title }),
  text: card.text,
  footer,
})

/** A text of at most so many characters, with a word on where the rest is. */
export function shortened(text: string, max: number, rest: string): string {
  return text.length <= max ? text : `${text.slice(0, max - rest.length - 3)}…\n\n${rest}`
}
