import { usd } from '@svc/facts'
import type { GatewayModel } from '@svc/sdk'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

/** The models of a project, with their prices in USD for a million tokens. */
export const models: Configure = (command, cli) => {
  projectFlag(jsonFlag(command)).action(async ({ project, json }: ProjectFlag & JsonFlag) => {
    const { client, project_id } = await cli.project(project)
    const list = await client.projects.gateway.models(project_id)
    if (json) return cli.out.json(list)
    if (list.length === 0) cli.out.note('None here.')
    else
      cli.out.table(
        [
          { header: 'MODEL', flexible: true },
          { header: 'OF' },
          { header: 'CONTEXT', optional: true },
          { header: 'INPUT' },
          { header: 'OUTPUT' },
          { header: 'USE' },
        ],
        list.map((one) => [
          oneLine(one.model),
          one.provider_scope,
          one.context_window === null ? '-' : String(one.context_window),
          one.price === null ? 'no price' : usd(one.price.card.input),
          one.price === null ? 'no price' : usd(one.price.card.output),
          useOf(one),
        ]),
      )
    cli.out.note(
      'A session of another model asks it with the secret <PROVIDER>_API_KEY of the project, outside of the gateway and its budgets.',
    )
  })
}

function useOf({ allowed, default: chosen }: GatewayModel): string {
  if (!allowed) return 'not allowed'
  return chosen ? 'default' : '-'
}
