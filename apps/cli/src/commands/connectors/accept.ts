import { counted } from '@svc/facts'
import { OperationError, UsageError } from '../../failures.ts'
import { ask, canAsk } from '../../output/ask.ts'
import { oneLine, visible } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly yes?: true
}

export const accept: Configure = (command, cli) => {
  command
    .argument('<slug>')
    .argument('[action...]', 'those alone; else all that changed')
    .option('--yes', 'without a question')
  projectFlag(jsonFlag(command)).action(async (slug: string, names: readonly string[], flags: Flags) => {
    if (!flags.yes && !canAsk(cli.io))
      throw new UsageError('there is no terminal to ask on', `svc connectors accept ${slug} --yes`)
    const { client, project_id } = await cli.project(flags.project)
    const { connectors } = client.projects
    // Read first: what changes after it is refused as stale.
    const { catalogue_digest } = await connectors.get(project_id, slug)
    const changed = (await connectors.actions(project_id, slug)).filter(
      ({ action, state }) => state === 'changed' && (names.length === 0 || names.includes(action)),
    )
    if (catalogue_digest === null || changed.length === 0)
      throw new OperationError(
        `nothing of ${slug} changed that is to be accepted`,
        `svc connectors show ${slug}`,
      )
    for (const { action, risk, description } of changed)
      cli.out.note(`${oneLine(action)} (${risk}): ${visible(description)}`)
    const answer = flags.yes
      ? 'y'
      : await ask(cli.io, `Accept ${counted(changed.length, 'action')} as now? [y/N] `)
    if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new OperationError('nothing was accepted')
    const connector = await connectors.accept(project_id, slug, {
      catalogue_digest,
      actions: changed.map(({ action }) => action),
    })
    if (flags.json) return cli.out.json(connector)
    cli.out.line(`Accepted ${changed.map(({ action }) => oneLine(action)).join(', ')}`)
  })
}
