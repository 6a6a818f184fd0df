import { ApiError } from '@svc/sdk'
import { InvalidArgumentError } from 'commander'
import { seenHead } from '../../config/seen-heads.ts'
import { OperationError } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { waitingFor } from '../../output/spinner.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { crArgument, crId } from './cr-argument.ts'
import { whatItMerges } from './look.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly message?: string
  readonly expectedHead?: string
}

/** Merges the commit that was looked at, and no other: the one of the flag, the one shown last here, or the one it names now. */
export const merge: Configure = (command, cli) => {
  crArgument(command)
    .option('--message <text>', 'message of the merge commit')
    .option(
      '--expected-head <sha>',
      'refuse to merge another commit; else the one that `cr show` or `cr diff` showed last here',
      commitId,
    )
  projectFlag(jsonFlag(command)).action(async (given: string, flags: Flags) => {
    const cr_id = crId(given)
    const { client, target, project_id } = await cli.project(flags.project)
    const cr = await client.projects.changeRequests.get(project_id, cr_id)
    const shown = { api_url: target.api_url, cr_id: cr.cr_id }
    const head = flags.expectedHead ?? (await seenHead(cli.config_file, shown)) ?? cr.head_commit_sha
    if (cr.status === 'open' && head !== null && head === cr.head_commit_sha)
      cli.out.note(`Merging ${await whatItMerges(client, cr, head)}`)
    const merging = client.projects.changeRequests.merge(project_id, cr_id, {
      ...(flags.message === undefined ? {} : { message: flags.message }),
      ...(head === null ? {} : { expected_head_sha: head }),
    })
    const answer = await waitingFor(cli, 'Merging', merging).catch((error: unknown) => {
      throw movedSince(error, cr.number, head)
    })
    if (flags.json) return cli.out.json(answer)
    const { change_request, merge } = answer
    const how = merge.fast_forward ? 'fast-forward' : 'merge commit'
    cli.out.line(
      `Merged #${change_request.number} into ${oneLine(change_request.base_ref)}: ${how} ${merge.merge_commit_sha}`,
    )
  })
}

function commitId(text: string): string {
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) return text
  throw new InvalidArgumentError('give the whole commit id.')
}

/** A stale head in words, with the command that shows the new commits. */
function movedSince(error: unknown, number: number, head: string | null): unknown {
  if (!(error instanceof ApiError) || error.code !== 'CR_STALE_HEAD' || head === null) return error
  const actual = error.details['actual_sha']
  const now = typeof actual === 'string' ? ` -> ${actual.slice(0, 12)}` : ''
  return new OperationError(
    `head moved since you looked: ${head.slice(0, 12)}${now} (CR_STALE_HEAD, 409)`,
    `svc cr diff ${number}, then merge what it shows`,
    { cause: error },
  )
}
