import type { ChannelPlatform, ChannelPolicy, ThreadReplies } from '@svc/channel/states'

export const platformNames: Readonly<Record<ChannelPlatform, string>> = {
  chat_a: 'Slack',
  chat_b: 'Matrix',
  email: 'Mail',
}

/** The name within a sentence, where mail is no name. */
export const platformWord = (platform: ChannelPlatform): string =>
  platform === 'email' ? 'mail' : platformNames[platform]

/** Each policy with its name and its consequence, the one to begin with first. */
export const policies: readonly (readonly [ChannelPolicy, label: string, explanation: string])[] = [
  [
    'owner_approval',
    'Ask the one who began',
    'The person who began the thread allows or denies what others write in it.',
  ],
  ['owner_only', 'Only the one who began', 'What others write in the thread is refused.'],
  [
    'project_open',
    'All of the project',
    'Each person of the project goes on with the thread, with their own rights.',
  ],
]

export const policyNames: Readonly<Record<ChannelPolicy, string>> = {
  owner_approval: 'asks the one who began',
  owner_only: 'only the one who began',
  project_open: 'all of the project',
}

export const replyOptions: readonly (readonly [ThreadReplies, string])[] = [
  ['all', 'Every message of a thread that the agent is in'],
  ['mention', 'Only messages that name the bot'],
]

/** The place of a thread for people; its key is for machines. */
export function placeText(platform: ChannelPlatform, external_key: string): string {
  const parts = external_key.split('/')
  if (platform === 'email') return 'by mail'
  return `in the conversation ${parts[platform === 'chat_a' ? 1 : 0] ?? external_key}`
}

const reasons: Readonly<Record<string, string>> = {
  own: 'written by the bot itself',
  not_addressed: 'does not name the bot',
  names_another: 'begins with the name of another person',
  not_linked: 'its sender is linked to no person yet',
  link_expired: 'its sender did not link in time',
  owner_asked: 'the one who began the thread decides',
  owner_denied: 'the one who began the thread denied it',
  owner_only: 'only the one who began writes in this thread',
  no_access: 'its sender may start no session here',
  too_many_messages: 'too many messages in a minute',
  too_many_sessions: 'too many sessions in an hour',
  deleted: 'deleted before it was read',
  membership: 'the bot joined or left',
  automatic: 'an answer of a machine',
  list: 'from a mailing list',
  bounce: 'a report of a mail server',
  loop: 'came round in a circle',
  too_large: 'larger than 25 MiB',
  unauthenticated: 'the mail server does not vouch for its sender',
  unknown_thread: 'its address is of no thread',
  not_kept: 'its text was not kept',
}

/** The reason of a verdict for people; a code of a newer platform stands as it is. */
export function reasonText(reason: string | null): string {
  return reason === null ? '' : (reasons[reason] ?? reason.replaceAll('_', ' '))
}
