import { createHash } from 'node:crypto'
import type { FileRef, InboundMessage, Received } from '@svc/channel'
import { type ParsedMail, simpleParser } from 'mailparser'
import { mailAddress, readRecipient, type Recipient } from '../address.ts'
import { mailLimits } from '../limits.ts'
import { reasonToSkip } from './classes.ts'
import { headersOf, type MailHeaders } from './headers.ts'
import { cutReply } from './reply.ts'
import { plain, senderOf } from './sender.ts'

export interface Arrived {
  readonly raw: Buffer
  /** Of the channel. */
  readonly address: string
  readonly authserv_id: string
  /** As the server said that handed it over; else its headers say so. */
  readonly envelope?: { readonly from: string; readonly to: Recipient }
  /** Its place in a mailbox; else its `Message-ID` is its name. */
  readonly platform_id?: string
}

/** A mail in the words that all platforms have. */
export async function readMail(arrived: Arrived): Promise<Received> {
  const parsed = await simpleParser(arrived.raw, {
    ...{ skipTextToHtml: true, keepCidLinks: true, ignoreEmbedded: true, checksumAlgo: false },
    maxHtmlLengthToParse: mailLimits.htmlChars,
  })
  const headers = headersOf(parsed.headerLines)
  const sender = senderOf(parsed, headers, arrived.authserv_id)
  const message_id = idOf(headers, arrived.raw)
  const to = arrived.envelope?.to ?? recipientIn(parsed, headers, arrived.address)
  const { authenticated } = sender
  const [subject, { said, quoted }] = [subjectOf(parsed), cut(parsed)]
  // Names that any writer can choose stand for none that was proven.
  const claimed = (name: string) => (authenticated ? name : `unauthenticated:${name}`)
  const [local = ''] = arrived.address.split('@')
  const body: InboundMessage = {
    ...{ kind: 'message', conversation: local, root: message_id, ref: message_id, direct: true },
    sender: {
      id: claimed(sender.address ?? ''),
      tenant: sender.domain,
      display: sender.address ?? '',
    },
    text: to?.token_hash == null ? [subject, said].filter(Boolean).join('\n\n') : said,
    ...{ mentions_bot: true, names_other: false },
    skip: reasonToSkip({
      ...{ headers, address: arrived.address },
      return_path: returnPath(arrived, headers),
      is_own: isOwn(sender.address, arrived.address),
    }),
    files: filesOf(parsed),
    mail: {
      ...{ message_id, authenticated, token_hash: to?.token_hash ?? null },
      ...{ subject, references: referencesOf(parsed), quoted },
    },
  }
  const platform_id = arrived.platform_id ?? claimed(message_id)
  const received = { platform_id, message_key: claimed(message_id), body }
  // Of a mail that no server vouches for, only that it came is kept.
  const isTaken = authenticated && body.skip === null && body.files.length > 0
  return isTaken ? { ...received, contents: parsed.attachments.map(({ content }) => content) } : received
}

function cut({ text = '' }: ParsedMail) {
  const { said, quoted } = cutReply(clean(text.slice(0, 4 * mailLimits.chars)))
  return { said: said.slice(0, mailLimits.chars), quoted: quoted.slice(0, mailLimits.chars) }
}

const subjectOf = ({ subject = '' }: ParsedMail) => oneLine(subject).slice(0, 500)

/** The mails that it answers, oldest first. */
function referencesOf({ references = [], inReplyTo }: ParsedMail): string[] {
  const all = [...(typeof references === 'string' ? [references] : references), inReplyTo ?? '']
  const ids = all.map((id) => bare(id)).filter((id) => id !== '' && id.length <= 250 && !/[\s<>]/.test(id))
  return [...new Set(ids)].slice(-mailLimits.references)
}

/** The name of a mail for good. One without a name, or with one that is longer than any is, is named by its content. */
function idOf(headers: MailHeaders, raw: Buffer): string {
  const given = bare(headers.first('message-id') ?? '')
  const usable = given !== '' && given.length <= 250 && !/[\s<>\p{Cc}]/u.test(given)
  return usable ? clean(given) : `${createHash('sha256').update(raw).digest('hex')}@unnamed.invalid`
}

const bare = (id: string) => id.trim().replaceAll(/^<|>$/g, '')

/** The address of the channel that a mail in a mailbox went to. */
function recipientIn(parsed: ParsedMail, headers: MailHeaders, address: string): Recipient | null {
  const written = [parsed.to ?? [], parsed.cc ?? []].flat().flatMap(({ value }) => value)
  const listed = written.flatMap((one) => (one.group ?? [one]).map((each) => each.address ?? ''))
  const delivered = ['delivered-to', 'x-original-to', 'envelope-to'].flatMap((name) => headers.all(name))
  const ours = [...delivered.map(bare), ...listed]
    .map((each) => readRecipient(each))
    .filter((each) => each !== null)
    .filter((each) => mailAddress(each) === address)
  return ours.find(({ token_hash }) => token_hash !== null) ?? ours[0] ?? null
}

function returnPath({ envelope }: Arrived, headers: MailHeaders): string | null {
  if (envelope !== undefined) return envelope.from
  const path = headers.first('return-path')
  return path === null ? null : bare(path)
}

function isOwn(sender: string | null, address: string): boolean {
  const from = sender === null ? null : readRecipient(sender)
  return from !== null && mailAddress(from) === plain(address)
}

/** Its files by their place in it. */
function filesOf({ attachments }: ParsedMail): FileRef[] {
  return attachments.slice(0, mailLimits.files).map(({ filename, contentType, size }, index) => ({
    name: oneLine(filename ?? `file-${index + 1}`).slice(0, 255),
    type: oneLine(contentType).slice(0, 255),
    ...{ bytes: size, url: `mail:${index}` },
  }))
}

/** Without the signs that rows take as little as people do. */
const clean = (text: string) =>
  text.replaceAll(/[^\P{Cc}\n\r\t]/gu, '').replaceAll(/\p{Surrogate}/gu, '\u{FFFD}')

const oneLine = (text: string) => clean(text).replaceAll(/\s+/g, ' ').trim()
