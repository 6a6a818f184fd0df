import { isIP } from 'node:net'
import { ChannelRefused, connectionError } from '@svc/channel'
import { ImapFlow } from 'imapflow'

export interface Mailbox {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  /** The addresses of a host, each of which may be reached, with TLS or without. */
  readonly addresses: (host: string, wish: { readonly secure: boolean }) => Promise<readonly string[]>
}

/** The port on which a mailbox speaks TLS from the first byte. */
const securePort = 993
const connectMs = 10_000
/** A server that is silent for so long is gone; IDLE is renewed before that. */
const silentMs = 360_000
const idleMs = 120_000

/** Opens a mailbox: by TLS, but on this machine itself. The connection goes to an address that was checked. */
export async function openMailbox(mailbox: Mailbox, signal: AbortSignal): Promise<ImapFlow> {
  signal.throwIfAborted()
  try {
    return await connect(mailbox, signal)
  } catch (error) {
    throw mailboxError(error)
  }
}

async function connect(
  { host, port, user, password, addresses }: Mailbox,
  signal: AbortSignal,
): Promise<ImapFlow> {
  const secure = port === securePort
  const [address = host] = await addresses(host, { secure: true })
  const isPlain = !secure && (await mayBePlain(host, addresses))
  const client = new ImapFlow({
    ...{ host: address, port, secure, logger: false, auth: { user, pass: password } },
    ...(isIP(host) === 0 ? { servername: host } : {}),
    // One that hides that it offers TLS does not get the password.
    ...(secure || isPlain ? {} : { doSTARTTLS: true }),
    ...{ connectionTimeout: connectMs, greetingTimeout: connectMs, socketTimeout: silentMs },
    ...{ maxIdleTime: idleMs, disableAutoIdle: true },
  })
  // Whatever waits for the connection is rejected with it as well.
  client.on('error', () => {})
  const close = () => client.close()
  signal.addEventListener('abort', close, { once: true })
  client.on('close', () => signal.removeEventListener('abort', close))
  await client.connect()
  return client
}

async function mayBePlain(host: string, addresses: Mailbox['addresses']): Promise<boolean> {
  try {
    await addresses(host, { secure: false })
    return true
  } catch {
    return false
  }
}

/** The error of the seam for what a mailbox answered. */
export function mailboxError(error: unknown): Error {
  const known = connectionError(error)
  if (known !== null) return known
  const { authenticationFailed, serverResponseCode, code } = Object(error)
  if (authenticationFailed === true && serverResponseCode !== 'UNAVAILABLE')
    return new ChannelRefused('credential_refused', 'The mailbox refused the user or the password')
  const why = typeof code === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(code) ? `: ${code}` : ''
  return new Error(`The mailbox was not reached${why}`, { cause: error })
}
