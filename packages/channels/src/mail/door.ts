import type { BaseContext } from '@svc/context'
import { channelMails } from '@svc/db/channels'
import { mailAddress, type MailDoor } from '@svc/mail-channel'
import { settled } from '@svc/timing'
import { commitMs, keepReceived } from '../receive.ts'

type Receiving = Pick<BaseContext, 'db' | 'vault' | 'now' | 'newId' | 'metrics'>

/** The channels that have an address at the domain, as the mail server asks for them. */
export function mailDoor(
  ctx: Receiving,
  { domain, authserv }: { readonly domain: string; readonly authserv: string | undefined },
): MailDoor {
  return async (local) => {
    const channel = await channelMails.findChannel(ctx.db, local)
    if (channel === undefined) return null
    const own = channel.settings['authserv_id']
    const authserv_id = typeof own === 'string' ? own : authserv
    if (authserv_id === undefined)
      throw new Error('SVC_CHANNEL_MAIL_AUTHSERV is not set, so that nothing says who sent a mail')
    return {
      address: mailAddress({ local, domain }),
      authserv_id,
      take: async (received) => {
        const kept = keepReceived(ctx, channel, received)
        if (!(await settled(commitMs, kept))) throw new Error('The mail could not be kept in time')
        await kept
      },
    }
  }
}
