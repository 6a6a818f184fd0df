import {
  type BotIdentity,
  type ChannelAdapter,
  type ChannelCheck,
  ChannelRefused,
  MessageRefused,
  type Outgoing,
} from '@svc/channel'
import { type MailAddress, mailAddress } from './address.ts'
import type { Correspondence, Letter } from './correspondence.ts'
import { type Mailbox, openMailbox } from './imap/connect.ts'
import { type AttachedFile, type MailWay, mailOf, sendingError } from './out.ts'
import { plain } from './read/sender.ts'

interface MailChannelOptions {
  readonly address: MailAddress
  /** The name beside the address. */
  readonly name: string
  /** Undefined where the deployment sends no mails. */
  readonly way: MailWay | undefined
  /** The server whose word on senders counts; undefined where none was named. */
  readonly authserv_id: string | undefined
  /** Absent where a mail server hands mails over. */
  readonly mailbox?: Mailbox | undefined
  /** Absent where nothing was written yet. */
  readonly correspondence?: Correspondence | undefined
}

/** A mail address by which people write. Nothing is tried again here; the caller does, under the same `Message-ID`. */
export function mailChannel(options: MailChannelOptions): ChannelAdapter {
  const { address, name, correspondence } = options

  async function send(
    letter: Letter,
    message: Outgoing,
    id: string,
    signal: AbortSignal,
    file?: AttachedFile,
  ): Promise<string> {
    signal.throwIfAborted()
    const { way } = requireRoute(options)
    try {
      const mail = mailOf({ address, name }, letter, message, id)
      await way.send(file === undefined ? mail : { ...mail, attachments: [file] })
      return mail.message_id
    } catch (error) {
      throw sendingError(error)
    }
  }

  return {
    platform: 'email',
    identify: async (signal) => {
      requireRoute(options)
      if (options.mailbox !== undefined) await tryMailbox(options.mailbox, signal)
      return identityOf(address)
    },
    check: (signal) => checkMail(options, signal),

    post: async ({ root }, message, { message_id }, signal) => {
      const letter = await correspondence?.inThread(root, message_id)
      if (letter == null) throw new MessageRefused('The person of this thread is linked no more')
      return send(letter, message, message_id, signal)
    },

    begin: (conversation, message, { message_id }, signal) =>
      send(begun(conversation), message, message_id, signal),

    // A mail that was sent stays as it is: the page that it links to shows what became of its card.
    edit: async () => undefined,

    whisper: async ({ root }, { id }, message, { message_id }, signal) => {
      const letter = await correspondence?.toSender(root, id)
      if (letter === undefined) throw new MessageRefused('The mail that this is about is not known')
      await send(letter, message, message_id, signal)
    },

    // What stood before is quoted by the mails themselves.
    history: async () => [],

    nameOf: async (of) => ('user' in of ? of.user : `a mail to ${mailAddress(address)}`),

    // The person of a mail address is reached by mails already.
    direct: async ({ id }) => id,

    download: async () => {
      throw new MessageRefused('It was not kept with its mail')
    },

    postFile: async ({ conversation, root }, { name: filename, type, content }, { message_id }, signal) => {
      const letter = root === null ? begun(conversation) : await correspondence?.inThread(root, message_id)
      if (letter == null) throw new MessageRefused('The person of this thread is linked no more')
      const file = { filename, content_type: type, content }
      return send(letter, { text: `The file ${filename} is attached.` }, message_id, signal, file)
    },
  }
}

/** To an address, about nothing that was written before. */
function begun(conversation: string): Letter {
  const to = plain(conversation)
  if (to === null) throw new MessageRefused(`${conversation} is no mail address`)
  return { to, subject: null, token: null, in_reply_to: null, references: [] }
}

const identityOf = (address: MailAddress): BotIdentity => ({
  ...{ tenant: address.domain, tenant_name: address.domain, user_id: mailAddress(address) },
  name: mailAddress(address),
})

/** Refuses a channel that could not answer, or would believe any sender. */
function requireRoute({ way, authserv_id }: Pick<MailChannelOptions, 'way' | 'authserv_id'>) {
  if (way === undefined)
    throw new ChannelRefused(
      'no_mail_route',
      'This deployment sends no mails, so that none could be answered; its operator sets SVC_MAIL_URL',
    )
  if (authserv_id === undefined)
    throw new ChannelRefused(
      'no_mail_route',
      'Nothing here says who sent a mail; give settings.authserv_id, the name by which the mail server signs its Authentication-Results, or have the operator set SVC_CHANNEL_MAIL_AUTHSERV',
    )
  return { way, authserv_id }
}

async function tryMailbox(mailbox: Mailbox, signal: AbortSignal): Promise<void> {
  const client = await openMailbox(mailbox, signal)
  await client.logout().catch(() => client.close())
}

/** The way in and the way out; throws nothing. */
async function checkMail(options: MailChannelOptions, signal: AbortSignal): Promise<readonly ChannelCheck[]> {
  const address: ChannelCheck = { name: 'address', ok: true, message: mailAddress(options.address) }
  const route = await checked(
    'route',
    `Senders are believed by the word of ${options.authserv_id}`,
    async () => requireRoute(options),
  )
  const { mailbox } = options
  if (mailbox === undefined) return [address, route]
  const box = await checked('mailbox', `${mailbox.user} at ${mailbox.host}`, () =>
    tryMailbox(mailbox, signal),
  )
  return [address, route, box]
}

async function checked(name: string, message: string, work: () => Promise<unknown>): Promise<ChannelCheck> {
  try {
    await work()
    return { name, ok: true, message }
  } catch (error) {
    return { name, ok: false, message: error instanceof Error ? error.message : 'It did not answer' }
  }
}
