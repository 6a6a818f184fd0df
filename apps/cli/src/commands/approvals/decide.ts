import { text } from 'node:stream/consumers'
import type { DecideApprovalInput } from '@svc/sdk'
import type { Cli } from '../../cli.ts'
import { OperationError, UsageError } from '../../failures.ts'
import { ask, canAsk } from '../../output/ask.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { callArgument, callId } from '../connectors/call-argument.ts'
import { printApproval } from './print-approval.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly message?: string
  readonly digest?: string
  readonly yes?: true
}

const digestFlag = ['--digest <sha256>', 'of what you looked at: refused when it is another by now'] as const
const messageFlag = ['--message <text>', 'what the agent is given to read; - reads it from stdin'] as const

export const approve: Configure = (command, cli) => {
  callArgument(command)
    .option(...messageFlag)
    .option(...digestFlag)
    .option('--yes', 'without a question; needs --digest')
  projectFlag(jsonFlag(command)).action(async (given: string, flags: Flags) => {
    const call_id = callId(given)
    if (flags.yes && flags.digest === undefined)
      throw new UsageError(
        '--yes needs the digest of what was looked at',
        `\`svc approvals show ${call_id}\` shows it`,
      )
    if (!flags.yes && !canAsk(cli.io))
      throw new UsageError(
        'there is no terminal to ask on',
        `svc approvals approve ${call_id} --yes --digest <digest>`,
      )
    const { client, project_id } = await cli.project(flags.project)
    const approval = await client.projects.approvals.get(project_id, call_id)
    const digest = flags.digest ?? approval.digest
    if (!flags.yes) {
      printApproval(cli.out, approval)
      const answer = await ask(cli.io, '\nApprove exactly this? [y/N] ')
      if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new OperationError('nothing was decided')
    }
    await decide(cli, { decision: 'approve', digest }, call_id, flags)
  })
}

export const deny: Configure = (command, cli) => {
  callArgument(command)
    .option(...messageFlag)
    .option(...digestFlag)
  projectFlag(jsonFlag(command)).action(async (given: string, flags: Flags) => {
    const call_id = callId(given)
    const { client, project_id } = await cli.project(flags.project)
    const digest = flags.digest ?? (await client.projects.approvals.get(project_id, call_id)).digest
    await decide(cli, { decision: 'deny', digest }, call_id, flags)
  })
}

/** Decides, and says what becomes of the call. */
async function decide(
  cli: Cli,
  input: Pick<DecideApprovalInput, 'decision' | 'digest'>,
  call_id: string,
  flags: Flags,
): Promise<void> {
  const message = flags.message === '-' ? await text(cli.io.stdin) : flags.message
  const { client, project_id } = await cli.project(flags.project)
  const decided = await client.projects.approvals.decide(project_id, call_id, {
    ...input,
    ...(message !== undefined && { message }),
  })
  if (flags.json) return cli.out.json(decided)
  const named = oneLine(`${decided.connector}.${decided.action}`)
  if (input.decision === 'deny') return cli.out.line(`Denied ${named}`)
  cli.out.line(`Approved ${named}`)
  cli.out.note(`It is carried out now, once: svc connectors result ${call_id} --wait`)
}
