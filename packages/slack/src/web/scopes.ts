/** The scopes of a bot token that the channel uses, each with its use. */
export const scopes = {
  'chat:write': 'answers in threads',
  'app_mentions:read': 'mentions of the bot',
  'channels:history': 'messages in public channels',
  'groups:history': 'messages in private channels',
  'im:history': 'direct messages',
  'mpim:history': 'messages in group conversations',
  'channels:read': 'names of public channels',
  'groups:read': 'names of private channels',
  'users:read': 'names of people',
  'files:read': 'files that come with messages',
  'files:write': 'files that agents send',
  'im:write': 'notifications as direct messages',
} as const

/** Those that a token lacks. */
export function missingScopes(granted: readonly string[]): string[] {
  return Object.keys(scopes).filter((scope) => !granted.includes(scope))
}
