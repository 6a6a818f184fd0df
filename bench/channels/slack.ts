import { startFakeSlack } from '../../packages/slack/tests/fake-slack/index.ts'
import { signingSecret, tokens } from './chat-load.ts'

/** A workspace with people in a process of its own, which is asked for names and takes messages. */
const [people = '1'] = process.argv.slice(2)
const slack = await startFakeSlack({ ...tokens, signing_secret: signingSecret })
const { id: conversation } = slack.workspace.addConversation('general')
const users = Array.from({ length: Number(people) }, (_, n) => slack.workspace.addUser(`Person ${n}`).id)
process.send?.({
  ...{ api_url: slack.api_url, team: slack.workspace.team.id, app: slack.bot.app_id, bot: slack.bot.user_id },
  ...{ conversation, users },
})
for (const end of ['message', 'disconnect', 'SIGINT', 'SIGTERM']) process.once(end, () => process.exit(0))
