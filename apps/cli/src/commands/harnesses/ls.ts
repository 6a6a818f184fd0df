import type { Harness } from '@svc/sdk'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { sizeText, stateText } from './state-text.ts'

export const ls: Configure = (command, cli) => {
  jsonFlag(command)
    .option('--project <id-or-slug>', 'those of a project, with the agents that run on each')
    .action(async (flags: JsonFlag & ProjectFlag) => {
      if (flags.project === undefined) {
        const harnesses = await (await cli.connect()).client.harnesses.list()
        if (flags.json) return cli.out.json(harnesses)
        return table(harnesses)
      }
      const { client, project_id } = await cli.project(flags.project)
      const list = await client.projects.harnesses.list(project_id)
      if (flags.json) return cli.out.json(list)
      table(list.harnesses, list.agents)
      cli.out.note(`Agents whose file names none run on ${oneLine(list.default)}.`)
    })

  function table(harnesses: readonly Harness[], agents?: Readonly<Record<string, string>>) {
    const agentsOf = ({ name }: Harness) =>
      Object.entries(agents ?? {})
        .filter(([, harness]) => harness === name)
        .map(([agent]) => oneLine(agent))
        .join(', ')
    cli.out.table(
      [
        { header: 'HARNESS' },
        { header: 'TITLE', flexible: true },
        { header: 'VERSION', optional: true },
        { header: 'SIZE', optional: true },
        ...(agents ? [{ header: 'AGENTS', flexible: true }] : []),
        { header: 'STATE', flexible: true },
      ],
      harnesses.map((one) => [
        oneLine(one.name),
        oneLine(one.title),
        one.version ?? '',
        sizeText(one.bytes),
        ...(agents ? [agentsOf(one)] : []),
        stateText(one),
      ]),
    )
  }
}
