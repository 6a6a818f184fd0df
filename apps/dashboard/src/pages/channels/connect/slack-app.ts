/** The scopes of the bot token, as the settings of an app of Slack name them. */
export const botScopes = [
  'chat:write',
  'app_mentions:read',
  'channels:history',
  'groups:history',
  'im:history',
  'mpim:history',
  'channels:read',
  'groups:read',
  'users:read',
  'files:read',
  'files:write',
  'im:write',
] as const

/** The events that an app of Slack subscribes to for the bot. */
export const botEvents = [
  'app_mention',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
] as const

/** The list of the apps of a person at Slack. */
export const appsUrl = 'https://api.slack.com/apps'
