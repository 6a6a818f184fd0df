import type { ChannelWorkerEnv } from './env.ts'
import { type ChannelWorkerContext, mailDoor } from '@svc/channels/worker'
import { type LmtpListener, openLmtp } from '@svc/mail-channel'

type Settings = Pick<
  ChannelWorkerEnv,
  'SVC_CHANNEL_LMTP' | 'SVC_CHANNEL_MAIL_DOMAIN' | 'SVC_CHANNEL_MAIL_AUTHSERV'
>

/** Takes mails for channels from the operator's mail server, where it is given an address to listen on. */
export function listenForMails(ctx: ChannelWorkerContext, env: Settings) {
  const listening = listen(ctx, env)
  listening.catch((err: unknown) => ctx.log.error({ err }, 'mails for channels are not taken'))
  return {
    port: listening.then((listener) => listener?.port ?? null),
    close: async () => {
      await (await listening.catch(() => null))?.close()
    },
  }
}

async function listen(ctx: ChannelWorkerContext, env: Settings): Promise<LmtpListener | null> {
  const { SVC_CHANNEL_LMTP: at, SVC_CHANNEL_MAIL_DOMAIN: domain, SVC_CHANNEL_MAIL_AUTHSERV: authserv } = env
  if (at === undefined || domain === undefined) return null
  const listener = await openLmtp({
    ...{ ...at, domain, door: mailDoor(ctx, { domain, authserv }) },
    onFailure: (err) => ctx.log.warn({ err }, 'a mail for a channel was not taken'),
  })
  ctx.log.info({ host: at.host, port: listener.port, domain }, 'Listening for mails')
  return listener
}
