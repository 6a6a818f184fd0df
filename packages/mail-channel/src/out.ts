import { MessageRefused, type Outgoing } from '@svc/channel'
import { type MailAddress, mailAddress } from './address.ts'
import type { Letter } from './correspondence.ts'
import { ownHeader } from './read/classes.ts'
import { render } from './render/render.ts'

/** A file that goes with a mail. */
export interface AttachedFile {
  readonly filename: string
  readonly content_type: string
  readonly content: Uint8Array
}

/** A mail as the transport takes it. */
interface SentMail {
  readonly from: string
  readonly reply_to: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly message_id: string
  readonly in_reply_to?: string
  readonly references?: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly attachments?: readonly AttachedFile[]
}

/** The way for mails out of the deployment. */
export interface MailWay {
  send(mail: SentMail): Promise<void>
}

export interface Writer {
  readonly address: MailAddress
  /** The name beside the address. */
  readonly name: string
}

/** A message as the mail that it goes out as: the same name each time that it is sent. */
export function mailOf({ address, name }: Writer, letter: Letter, message: Outgoing, id: string): SentMail {
  const { to, token, in_reply_to, references } = letter
  const { subject, text, html } = render(message)
  return {
    ...{ to, text, html, message_id: `${id}@${address.domain}` },
    from: named(name, mailAddress(address)),
    reply_to: mailAddress(address, token),
    subject: letter.subject === null ? subject : `Re: ${letter.subject.replace(/^(?:re\s*:\s*)+/i, '')}`,
    ...(in_reply_to === null ? {} : { in_reply_to }),
    ...(references.length === 0 ? {} : { references }),
    headers: {
      'Auto-Submitted': in_reply_to === null ? 'auto-generated' : 'auto-replied',
      'X-Auto-Response-Suppress': 'All',
      [ownHeader]: mailAddress(address),
    },
  }
}

const named = (name: string, address: string) => `"${name.replaceAll(/["\\\p{Cc}<>]/gu, '')}" <${address}>`

/** The error of the seam: a server that will not take this one mail says so by a code of 500 and more. */
export function sendingError(error: unknown): Error {
  const { code, responseCode } = Object(error) as { readonly code?: unknown; readonly responseCode?: unknown }
  const isRefused = typeof responseCode === 'number' && responseCode >= 500 && code !== 'EAUTH'
  if (isRefused) return new MessageRefused(`The mail server refused it with code ${responseCode}`)
  return error instanceof Error ? error : new Error(String(error))
}
