import type { Channel } from '@svc/sdk'
import { SetUpMail } from './set-up-mail.tsx'
import { SetUpMatrix } from './set-up-matrix.tsx'
import { SetUpSlack } from './set-up-slack.tsx'

/** The next steps at the platform of a channel, once it is connected. */
export function SetUp({ channel }: { readonly channel: Channel }) {
  if (channel.platform === 'email') return <SetUpMail channel={channel} />
  return channel.platform === 'chat_b' ? <SetUpMatrix channel={channel} /> : <SetUpSlack channel={channel} />
}
