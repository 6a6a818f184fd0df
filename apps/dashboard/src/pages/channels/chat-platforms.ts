import type { ChannelPlatform } from '@svc/channel/states'

/** The platforms that are connected on these pages, the one that is offered first in front. */
export const chatPlatforms = ['chat_a', 'chat_b', 'email'] as const satisfies readonly ChannelPlatform[]
export type ChatPlatform = (typeof chatPlatforms)[number]
