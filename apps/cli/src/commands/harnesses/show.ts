import type { Harness } from '@svc/sdk'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { printInstalls } from './print-installs.ts'
import { sizeText, stateText } from './state-text.ts'

const asking: Readonly<Record<Harness['permissions'], string>> = {
  always: 'before its tools act',
  by_mode: 'in its asking mode',
  never: 'never',
}

export const show: Configure = (command, cli) => {
  jsonFlag(command.argument('<name>')).action(async (name: string, flags: JsonFlag) => {
    const harness = await (await cli.connect()).client.harnesses.get(name)
    if (flags.json) return cli.out.json(harness)
    cli.out.fields([
      ['harness', oneLine(harness.name)],
      ['title', oneLine(harness.title)],
      ['state', stateText(harness)],
      ['package', harness.package],
      ['version', harness.version],
      ['may be pinned', harness.versions.join(', ')],
      ['size', sizeText(harness.bytes)],
      ['models by', harness.dialect],
      ['paid by', harness.auth.join(', ')],
      ['asks', asking[harness.permissions]],
      ['connectors', harness.mcp.length === 0 ? 'by svc connectors alone' : 'as tools'],
      ...harness.licences.map(
        (licence) =>
          [
            'licence',
            oneLine(
              `${licence.spdx} of ${licence.name}${licence.sha256 === null ? '' : licence.accepted ? ', accepted' : ', not accepted'}`,
            ),
          ] as const,
      ),
    ])
    if (harness.installs.length === 0) return
    cli.out.line()
    printInstalls(cli.out, harness.installs)
  })
}
