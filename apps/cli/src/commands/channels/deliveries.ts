import {
  deliveryVerdicts,
  type DeliveryVerdict,
  type WriterDecision,
  writerDecisions,
} from '@svc/channel/states'
import { Argument, Option } from 'commander'
import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, positive, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly verdict?: DeliveryVerdict
  readonly limit: number
}

export const deliveries: Configure = (command, cli) => {
  command
    .argument('<slug>')
    .addOption(new Option('--verdict <verdict>', 'only those with this one').choices(deliveryVerdicts))
    .option('--limit <count>', 'how many', positive, 50)
  projectFlag(jsonFlag(command)).action(async (slug: string, flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const page = await client.projects.channels.deliveries(project_id, slug, {
      limit: flags.limit,
      verdict: flags.verdict,
    })
    if (flags.json) return cli.out.json(page)
    if (page.deliveries.length === 0) return cli.out.note('Nothing was received.')
    cli.out.table(
      [
        { header: 'DELIVERY' },
        { header: 'KIND', optional: true },
        { header: 'FROM', flexible: true },
        { header: 'TEXT', flexible: true },
        { header: 'VERDICT' },
        { header: 'REASON', flexible: true },
        { header: 'RECEIVED' },
      ],
      page.deliveries.map((one) => [
        one.delivery_id,
        one.kind,
        oneLine(one.sender),
        oneLine(one.text),
        one.verdict,
        oneLine(one.reason ?? ''),
        ago(one.received_at, Date.now()),
      ]),
    )
    const failed = page.deliveries.find(({ verdict }) => verdict === 'failed')
    if (failed !== undefined)
      cli.out.note(`One that failed, once more: svc channels replay ${slug} ${failed.delivery_id}`)
    const asked = page.deliveries.find(({ verdict }) => verdict === 'asked')
    if (asked !== undefined)
      cli.out.note(`One that waits for you: svc channels decide ${slug} ${asked.delivery_id} allow`)
  })
}

export const decide: Configure = (command, cli) => {
  command
    .argument('<slug>')
    .argument('<delivery_id>')
    .addArgument(new Argument('<decision>', 'for this one, or all of its sender').choices(writerDecisions))
  projectFlag(jsonFlag(command)).action(
    async (slug: string, delivery_id: string, decision: WriterDecision, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const delivery = await client.projects.channels.decide(project_id, slug, delivery_id, { decision })
      if (flags.json) return cli.out.json(delivery)
      cli.out.line(decision === 'deny' ? 'The agent is not given it.' : 'The agent is given it.')
    },
  )
}

export const replay: Configure = (command, cli) => {
  command.argument('<slug>').argument('<delivery_id>')
  projectFlag(jsonFlag(command)).action(
    async (slug: string, delivery_id: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const delivery = await client.projects.channels.replay(project_id, slug, delivery_id)
      if (flags.json) return cli.out.json(delivery)
      cli.out.line(`It waits again; svc channels deliveries ${slug} says what becomes of it.`)
    },
  )
}
