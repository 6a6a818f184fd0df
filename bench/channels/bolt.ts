import { App, HTTPReceiver, LogLevel } from '@slack/bolt'
import { signingSecret, tokens } from './chat-load.ts'

/** The least that a bot is: an app of Bolt that checks signatures, acknowledges and keeps nothing. */
const receiver = new HTTPReceiver({
  signingSecret,
  endpoints: ['/events'],
  logLevel: LogLevel.ERROR,
  processBeforeResponse: false,
})
const app = new App({
  ...{ token: tokens.bot_token, receiver, logLevel: LogLevel.ERROR },
  // Nothing is asked of Slack.
  ...{ tokenVerificationEnabled: false, botId: 'B000000BT', botUserId: 'U000000BT' },
})
app.message(async () => undefined)
app.event('app_mention', async () => undefined)
const server = await app.start(0)
const address = server.address()
process.send?.({
  url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/events`,
})
for (const end of ['message', 'disconnect', 'SIGINT', 'SIGTERM']) process.once(end, () => process.exit(0))
