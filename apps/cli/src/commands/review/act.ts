import { text } from 'node:stream/consumers'
import type { ActOnReviewInput } from '@svc/sdk'
import { Argument } from 'commander'
import { UsageError } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { reviewArgument, reviewId } from './review-argument.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly feedback?: string
  readonly option?: string
  readonly at?: string
}

const verdicts = ['approve', 'request-changes', 'reject', 'dismiss'] as const

export const act: Configure = (command, cli) => {
  reviewArgument(command)
    .addArgument(new Argument('<verdict>').choices(verdicts))
    .option('--feedback <text>', 'what the submitter is told; - reads it from stdin')
    .option('--option <id>', 'what is chosen, to approve a decision')
    .option('--at <version>', 'the version that you looked at; by default the one that is there')
  projectFlag(jsonFlag(command)).action(
    async (given: string, verdict: (typeof verdicts)[number], flags: Flags) => {
      const review_id = reviewId(given)
      const feedback = flags.feedback === '-' ? await text(cli.io.stdin) : flags.feedback
      if (verdict === 'request-changes' && (feedback ?? '').trim() === '')
        throw new UsageError(
          'say what is to be changed',
          `svc review act ${given} request-changes --feedback <text>`,
        )
      const looked = flags.at === undefined ? null : Number(flags.at)
      if (looked !== null && !Number.isInteger(looked))
        throw new UsageError(`${flags.at} is no version`, 'give the number that svc review show tells')
      const { client, project_id } = await cli.project(flags.project)
      const { reviews } = client.projects
      const version = looked ?? (await reviews.get(project_id, review_id)).version
      const item = await reviews.act(project_id, review_id, {
        verdict: verdict.replace('-', '_') as ActOnReviewInput['verdict'],
        version,
        ...(feedback !== undefined && { feedback }),
        ...(flags.option !== undefined && { option: flags.option }),
      })
      if (flags.json) return cli.out.json(item)
      cli.out.line(`${oneLine(item.title)}: ${item.status.replace('_', ' ')}`)
      if (item.session_id !== null) cli.out.note('Its session has been sent the verdict.')
    },
  )
}
