import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { connectionOf } from './ls.ts'

export const show: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<slug>'))).action(
    async (slug: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const { connectors } = client.projects
      const [connector, actions] = await Promise.all([
        connectors.get(project_id, slug),
        connectors.actions(project_id, slug),
      ])
      if (flags.json) return cli.out.json({ connector, actions })
      const { out } = cli
      out.fields([
        ['slug', connector.slug],
        ['name', oneLine(connector.name)],
        ['provider', connector.provider],
        ['status', connector.status.replace('_', ' ')],
        ['error', connector.error && oneLine(connector.error)],
        ['address', connector.address && oneLine(connector.address)],
        ['auth', connector.auth_type],
        ['connection', connectionOf(connector)],
        ['connections of', connector.authorization_strategy === 'user' ? 'each person' : 'the project'],
        ['without a rule', connector.default_action],
        ['read', connector.synced_at ?? 'never'],
      ])
      if (connector.policies.length > 0) out.line('\nRules, the first that matches:')
      for (const { match, action, when } of connector.policies)
        out.line(`  ${oneLine(match)}  ${action}${when.length === 0 ? '' : `  when ${JSON.stringify(when)}`}`)
      if (actions.length === 0 && connector.status === 'syncing')
        out.note('Its actions are being read for the first time: look again in a minute.')
      if (actions.length === 0) return
      out.line()
      out.table(
        [
          { header: 'ACTION', flexible: true },
          { header: 'RISK' },
          { header: 'DECISION' },
          { header: 'STATE', optional: true },
          { header: 'WHAT', flexible: true },
        ],
        actions.map((one) => [
          oneLine(one.action),
          one.risk,
          one.hidden ? 'block, hidden' : one.decision.replace('_', ' '),
          one.state,
          oneLine(one.title ?? one.description),
        ]),
      )
    },
  )
}
