import { afterAll } from 'vitest'
import { startFakeSlack } from '../../../../../packages/slack/tests/fake-slack/index.ts'
import { at, platform, project } from '../world.ts'

const tokens = { bot_token: 'xoxb-1', signing_secret: 'a secret of its app' }

/** Pages of what services outside lead to: a chat that is connected here, and what was connected and asked before. */
export async function pagesOfServices(): Promise<readonly string[]> {
  const { channels, connectors, approvals } = platform.client.projects
  const { project_id } = project
  const slack = await startFakeSlack(tokens)
  afterAll(() => slack.close())
  const { slug } = await channels.connect(project_id, {
    ...{ platform: 'chat_a', credentials: tokens, settings: { api_url: slack.api_url } },
  })
  const { connectors: declared } = await connectors.list(project_id)
  const [asked] = await approvals.list(project_id)
  return [
    ...['', '?tab=received', '?tab=sent', '?tab=people', '?tab=settings', '?tab=setup'].map(
      (tab) => `/channels/${slug}${tab}`,
    ),
    ...declared.map((connector) => `/connectors/${connector.slug}`),
    `/approvals/${asked?.call_id}`,
    `/connector-calls/${asked?.call_id}`,
  ].map(at)
}
