import type { Received } from '@svc/channel'
import { z } from 'zod'
import { type BotUser, readEvent } from './event.ts'
import { readInteraction } from './interaction.ts'

/** The meaning of a request of Slack, whose signature was checked. */
export type SlackRequest =
  | { readonly kind: 'challenge'; readonly challenge: string }
  | { readonly kind: 'received'; readonly received: readonly Received[] }
  | { readonly kind: 'nothing' }

interface Request {
  readonly headers: Pick<Headers, 'get'>
  readonly body: Uint8Array
  readonly bot: BotUser
}

const nothing: SlackRequest = { kind: 'nothing' }
const Challenge = z.object({ type: z.literal('url_verification'), challenge: z.string() })

/** Reads both kinds of bodies: events are JSON, presses a form. */
export function readRequest({ headers, body, bot }: Request): SlackRequest {
  const text = Buffer.from(body).toString('utf8')
  const isForm = (headers.get('content-type') ?? '').startsWith('application/x-www-form-urlencoded')
  if (isForm) {
    // A form without a payload is `ssl_check`, or of a slash command.
    const payload = new URLSearchParams(text).get('payload')
    return payload === null ? nothing : received(readInteraction(parsed(payload)))
  }
  const said = parsed(text)
  const challenge = Challenge.safeParse(said).data?.challenge
  return challenge === undefined ? received(readEvent(said, bot)) : { kind: 'challenge', challenge }
}

function received(all: readonly Received[]): SlackRequest {
  return all.length === 0 ? nothing : { kind: 'received', received: all }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
