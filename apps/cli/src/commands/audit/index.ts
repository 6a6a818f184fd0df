import type { AuditFilter } from '@svc/sdk'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { pipeline } from 'node:stream/promises'
import { OperationError } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { type AccountFlag, accountFlag, accountOf } from '../account.ts'
import { type JsonFlag, jsonFlag, pageSize } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface FilterFlags extends AccountFlag {
  readonly actor?: string
  readonly action?: string
  readonly project?: string
  readonly outcome?: 'success' | 'denied' | 'failed'
  readonly since?: string
  readonly until?: string
}

interface ListFlags extends FilterFlags, JsonFlag {
  readonly limit: number
}

export const audit: Configure = (group, cli) => {
  const ls = filters(group.command('ls').description('who did what, newest first'))
  jsonFlag(ls)
    .option('--limit <count>', 'how many', pageSize, 50)
    .action(async (flags: ListFlags) => {
      const { client, account_id } = await accountOf(cli, flags.account)
      const { items } = await client.accounts.audit.list(account_id, {
        ...queryOf(flags),
        limit: flags.limit,
      })
      if (flags.json) return cli.out.json(items)
      if (items.length === 0) return cli.out.note('No such events.')
      cli.out.table(
        [
          { header: 'AT' },
          { header: 'ACTOR' },
          { header: 'ACTION' },
          { header: 'OUTCOME', optional: true },
          { header: 'TARGET', flexible: true },
        ],
        items.map(({ at, actor, action, outcome, target }) => [
          at,
          `${actor.type} ${actor.id.slice(0, 8)}`,
          action,
          outcome,
          oneLine(target),
        ]),
      )
    })

  filters(group.command('export').description('every event that matches as JSON lines, oldest first')).action(
    async (flags: FilterFlags) => {
      const { client, account_id } = await accountOf(cli, flags.account)
      const { body } = await client.accounts.audit.export(account_id, queryOf(flags))
      if (body !== null) await pipeline(body, cli.io.stdout, { end: false })
    },
  )

  jsonFlag(accountFlag(group.command('verify').description('whether the chain of events is whole'))).action(
    async (flags: AccountFlag & JsonFlag) => {
      const { client, account_id } = await accountOf(cli, flags.account)
      const verdict = await client.accounts.audit.verify(account_id)
      if (flags.json) cli.out.json(verdict)
      const { broken } = verdict
      if (broken !== null) {
        const message = `the chain is broken at event ${broken.seq} (${broken.reason}); ${verdict.events} before it hold`
        throw new OperationError(message, 'compare with an earlier export: svc audit export')
      }
      if (!flags.json) cli.out.line(`${verdict.events} events hold; the last hash is ${verdict.head_hash}`)
    },
  )
}

function filters(command: Command): Command {
  return accountFlag(command)
    .option('--actor <id>', 'a person, service account, session or token')
    .option('--action <operation>', 'such as createToken')
    .option('--project <id>', 'the id of a project')
    .addOption(new Option('--outcome <outcome>').choices(['success', 'denied', 'failed']))
    .option('--since <instant>', 'from this ISO 8601 instant on', instant)
    .option('--until <instant>', 'before this ISO 8601 instant', instant)
}

function queryOf({ actor, action, project, outcome, since, until }: FilterFlags): AuditFilter {
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(project === undefined ? {} : { project_id: project }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  }
}

function instant(text: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('It must be an instant such as 2026-01-31T12:00Z.')
  return at.toISOString()
}
