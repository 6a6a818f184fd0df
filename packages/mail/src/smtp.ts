import { setTimeout as wait } from 'node:timers/promises'
import { isLoopback } from '@svc/facts'
import { createTransport } from 'nodemailer'
import type { Mail, MailTransport } from './transport.ts'

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; another machine must offer TLS, but with `?requireTLS=false`. */
  readonly url: string
  /** The sender, as `name <address>`. */
  readonly from: string
  /** Pauses before further tries, in milliseconds. */
  readonly retry_ms?: readonly number[]
}

/** Mails by SMTP. A mail that the server does not take now is tried again a few times, then given up. */
export function smtpMail({ url, from, retry_ms = [2_000, 15_000] }: SmtpOptions): MailTransport {
  const transport = createTransport(
    { url: withTls(url), connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 },
    { from, disableFileAccess: true, disableUrlAccess: true },
  )
  const closed = new AbortController()
  const underWay = new Set<Promise<unknown>>()

  async function deliver(mail: Mail): Promise<void> {
    for (const pause of [...retry_ms, null]) {
      try {
        await transport.sendMail(messageOf(mail))
        return
      } catch (error) {
        if (pause === null || closed.signal.aborted) throw error
        await wait(pause, undefined, { signal: closed.signal }).catch(() => {
          throw error
        })
      }
    }
  }

  return {
    async send(mail) {
      const sending = deliver(mail)
      underWay.add(sending)
      await sending.finally(() => underWay.delete(sending))
    },
    async close() {
      closed.abort()
      await Promise.allSettled(underWay)
      transport.close()
    },
  }
}

function messageOf(mail: Mail) {
  const { message_id, headers, from, reply_to, in_reply_to, references, attachments, ...rest } = mail
  return {
    ...rest,
    ...(message_id !== undefined && { messageId: `<${message_id}>` }),
    ...(headers !== undefined && { headers: { ...headers } }),
    ...(from !== undefined && { from }),
    ...(reply_to !== undefined && { replyTo: reply_to }),
    ...(in_reply_to !== undefined && { inReplyTo: `<${in_reply_to}>` }),
    ...(attachments !== undefined && {
      attachments: attachments.map(({ filename, content_type, content }) => ({
        ...{ filename, contentType: content_type, content: Buffer.from(content) },
      })),
    }),
    ...(references !== undefined && { references: references.map((id) => `<${id}>`) }),
  }
}

/** Requires TLS, so that a machine on the way cannot hide that the server offers it and read the codes. */
export function withTls(url: string): string {
  const parsed = new URL(url)
  if (parsed.protocol !== 'smtp:' || isLoopback(parsed.hostname) || parsed.searchParams.has('requireTLS'))
    return url
  parsed.searchParams.set('requireTLS', 'true')
  return parsed.href
}
