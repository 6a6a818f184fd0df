import type { AdminClient, HarnessLicence } from '@svc/sdk/admin'
import type { Cli } from '../../cli.ts'
import { OperationError, UsageError } from '../../failures.ts'
import { ask, canAsk } from '../../output/ask.ts'
import { showPaged } from '../../output/pager.ts'
import { oneLine, plain } from '../../output/plain.ts'
import { adminClient } from '../admin/admin-client.ts'
import { type JsonFlag, jsonFlag, repeated } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag {
  readonly yes?: true
  readonly sha256?: readonly string[]
}

type Text = HarnessLicence['licences'][number]

export const accept: Configure = (command, cli) => {
  jsonFlag(command.argument('<name>'))
    .option('--yes', 'without a question; the text is named by --sha256')
    .option('--sha256 <hash>', 'the hash of the text that was read; again for more', repeated)
    .action(async (name: string, flags: Flags) => {
      const given = flags.sha256 ?? []
      refuseMisuse(name, flags)
      const admin = await adminClient(cli)
      const hashes = flags.yes ? given : await readAndAsk(cli, admin, name)
      let answer: HarnessLicence | undefined
      for (const sha256 of hashes) answer = await admin.harnesses.accept(name, sha256)
      if (flags.json) return cli.out.json(answer ?? (await admin.harnesses.licence(name)))
      cli.out.line(answer ? `Accepted the licence of ${name}` : `Nothing of ${name} is left to accept`)
    })
}

const unasked = (name: string, hashes: readonly string[]) =>
  `svc harnesses accept ${name} --yes ${hashes.map((hash) => `--sha256 ${hash}`).join(' ')}`

function refuseMisuse(name: string, { yes, sha256 }: Flags): void {
  if (yes && sha256 === undefined)
    throw new UsageError(
      '--yes needs --sha256, the hash of the text that you read',
      `svc harnesses accept ${name} shows it`,
    )
  if (!yes && sha256 !== undefined)
    throw new UsageError(
      '--sha256 goes with --yes: without it the text is shown, and you are asked',
      unasked(name, sha256),
    )
}

/** The hashes of the texts that the person accepts: all that are not accepted yet, or a refusal. */
async function readAndAsk(cli: Cli, admin: AdminClient, name: string): Promise<readonly string[]> {
  const { licences } = await admin.harnesses.licence(name)
  const open = licences.filter(({ accepted_at }) => accepted_at === null)
  if (open.length === 0) return []
  const texts = open.map(shown).join('\n')
  if (cli.out.is_terminal) await showPaged(cli.io, texts)
  else cli.out.note(texts)
  const hashes = open.map(({ sha256 }) => sha256)
  if (!canAsk(cli.io))
    throw new UsageError(
      'there is no terminal to ask on',
      `read the text above, then ${unasked(name, hashes)}`,
    )
  const answer = await ask(cli.io, `Accept this for every project of the platform? [y/N] `)
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new OperationError('nothing was accepted')
  return hashes
}

function shown({ name, sha256, text }: Text): string {
  return `${oneLine(name)}\nsha256 ${sha256}\n\n${plain(text).trimEnd()}\n`
}
