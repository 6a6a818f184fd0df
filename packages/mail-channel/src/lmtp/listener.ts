import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Received } from '@svc/channel'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { readRecipient, type Recipient } from '../address.ts'
import { mailLimits } from '../limits.ts'
import { readMail } from '../read/mail.ts'

/** A channel that takes mails. */
export interface MailReceiver {
  readonly address: string
  readonly authserv_id: string
  /** Resolves once they are kept for good. */
  take(received: readonly Received[]): Promise<void>
}

/** The channels, by the part of their address before the `@`. */
export type MailDoor = (local: string) => Promise<MailReceiver | null>

export interface LmtpOptions {
  readonly host: string
  readonly port: number
  /** The part of addresses behind the `@`. */
  readonly domain: string
  readonly door: MailDoor
  /** Called with what was answered by 451. */
  readonly onFailure: (error: unknown) => void
}

export interface LmtpListener {
  readonly port: number
  close(): Promise<void>
}

const maxClients = 20
const silentMs = 120_000

/** Takes mails from the operator's mail server (RFC 2033). Each is answered with 250 once it is kept, else with 451. */
export async function openLmtp({ host, port, domain, door, onFailure }: LmtpOptions): Promise<LmtpListener> {
  const find = async (address: string) => {
    const to = readRecipient(address)
    const receiver = to === null || to.domain !== domain ? null : await door(to.local)
    return to === null || receiver === null ? null : { to, receiver }
  }
  const server = new SMTPServer({
    ...{ lmtp: true, name: domain, banner: 'svc', logger: false, authOptional: true },
    ...{ disabledCommands: ['AUTH', 'STARTTLS'], size: mailLimits.bytes },
    ...{ maxClients, socketTimeout: silentMs, disableReverseLookup: true, closeTimeout: 5_000 },
    onRcptTo: ({ address }, _session, answer) => {
      find(address).then(
        (found) => answer(found === null ? unknownAddress(address) : null),
        (error: unknown) => answer(later(error)),
      )
    },
    onData: (stream, { envelope }, answer) => {
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
      const take = async (raw: Buffer, address: string) => {
        const found = await find(address)
        if (found === null) throw unknownAddress(address)
        await keep(found, { raw, from })
      }
      readAll(stream)
        .then(async (raw) => {
          const answers = envelope.rcptTo.map((): string | Error => '')
          for (const [index, address] of tokensFirst(envelope.rcptTo))
            answers[index] = await take(raw, address).then(() => 'Kept', asAnswer)
          return answers
        })
        .then(
          (answers) => answer(null, answers),
          (error: unknown) => answer(later(error)),
        )
    },
  })
  server.on('error', onFailure)
  const listening = server.listen(port, host)
  await once(listening, 'listening')
  const address = listening.address() as AddressInfo
  return { port: address.port, close: () => new Promise((closed) => server.close(() => closed())) }

  function asAnswer(error: unknown): Error {
    return error instanceof Error && 'responseCode' in error ? error : later(error)
  }

  function later(error: unknown): Error {
    onFailure(error)
    return Object.assign(new Error('The mail could not be kept; send it again'), { responseCode: 451 })
  }
}

interface Found {
  readonly to: Recipient
  readonly receiver: MailReceiver
}

async function keep(
  { to, receiver: { address, authserv_id, take } }: Found,
  { raw, from }: { readonly raw: Buffer; readonly from: string },
): Promise<void> {
  await take([await readMail({ raw, address, authserv_id, envelope: { from, to } })])
}

const unknownAddress = (address: string): Error =>
  Object.assign(new Error(`No channel has the address ${address}`), { responseCode: 550 })

/** One mail to a channel and to a thread of it is one to the thread: the second one is known already. */
function tokensFirst(to: readonly { readonly address: string }[]): [number, string][] {
  const all = to.map(({ address }, index): [number, string] => [index, address])
  const hasToken = ([, address]: [number, string]) => readRecipient(address)?.token_hash != null
  return [...all.filter(hasToken), ...all.filter((one) => !hasToken(one))]
}

/** More than is taken is left out: the server refuses the mail then. */
async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= mailLimits.bytes) chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
