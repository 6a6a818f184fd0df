import type { BotIdentity } from '@svc/channel'
import { z } from 'zod'

/** Of the bot, the id of its user and its name. */
export type Bot = Pick<BotIdentity, 'user_id' | 'name'>

type Content = Readonly<Record<string, unknown>>

const media = ['m.image', 'm.file', 'm.audio', 'm.video']
const Mentions = z.object({ user_ids: z.array(z.string()).optional().catch(undefined) })

/** The words of a message: without the quote that a reply of older clients begins with, and of a file the words beside it. */
export function textOf(content: Content): string {
  const [body, filename] = [stringOf(content['body']), content['filename']]
  if (media.includes(stringOf(content['msgtype'])))
    return typeof filename === 'string' && filename !== body ? body : ''
  return isReply(content) ? body.replace(/^(?:> .*\n|>\n)+\n?/, '') : body
}

export function mentions(content: Content, { user_id, name }: Bot): boolean {
  const mentioned = Mentions.safeParse(content['m.mentions']).data?.user_ids ?? []
  return mentioned.includes(user_id) || firstName(textOf(content), { user_id, name }) !== ''
}

/** Without the name of the bot that it begins with. */
export function withoutMention(text: string, bot: Bot): string {
  return text.slice(firstName(text, bot).length).trim()
}

/** It begins by naming another person: in the text by their id, or by a link to them. */
export function namesOther(content: Content, { user_id }: Bot): boolean {
  const [, plain] = /^\s*(@[^\s:]+:[^\s,]+)/.exec(textOf(content)) ?? []
  const [, link = ''] =
    /^\s*(?:<p>)?\s*<a href="https:\/\/matrix\.to\/#\/([^"?/]+)[^"]*">/.exec(withoutQuote(content)) ?? []
  const first = plain?.replace(/:$/, '') ?? decoded(link)
  return first.startsWith('@') && first !== user_id
}

/** The name of the bot at the beginning, with the signs after it; empty where it begins otherwise. */
function firstName(text: string, { user_id, name }: Bot): string {
  const names = [user_id, name].filter(Boolean).map(literal)
  const link = `\\[[^\\]\\n]*\\]\\(https://matrix\\.to/#/${literal(user_id)}\\)`
  const pattern = new RegExp(`^\\s*(?:${link}|@?(?:${names.join('|')}))(?:\\s*[:,]\\s*|\\s+|$)`, 'i')
  return pattern.exec(text)?.[0] ?? ''
}

function withoutQuote({ formatted_body }: Content): string {
  return stringOf(formatted_body).replace(/^<mx-reply>[\s\S]*?<\/mx-reply>/, '')
}

function isReply(content: Content): boolean {
  return Object(content['m.relates_to'])['m.in_reply_to'] !== undefined
}

/** None of the signs of a name is one of a pattern. */
const literal = (name: string) => name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function decoded(link: string): string {
  try {
    return decodeURIComponent(link)
  } catch {
    return ''
  }
}
