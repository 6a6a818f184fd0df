import { text } from 'node:stream/consumers'
import type { ReviewItem, SubmitReviewInput } from '@svc/sdk'
import { Option } from 'commander'
import { UsageError } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag, repeated } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { reviewId } from './review-argument.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly title?: string
  readonly summary?: string
  readonly risk?: NonNullable<SubmitReviewInput['risk']>
  readonly file?: readonly string[]
  readonly option?: readonly string[]
  readonly url?: string
  readonly again?: string
}

export const submit: Configure = (command, cli) => {
  command
    .option('--title <text>', 'what it is')
    .option('--summary <markdown>', 'what there is to look at; - reads it from stdin')
    .addOption(new Option('--risk <risk>', 'default medium').choices(['none', 'low', 'medium', 'high']))
    .option('--file <path>', 'a file that is pushed; may be given again', repeated)
    .option('--option <id=label>', 'an answer to a decision; given twice or more', repeated)
    .option('--url <address>', 'where there is more to see; https')
    .option('--again <review_id>', 'the next version of an item on which changes were requested')
  projectFlag(jsonFlag(command)).action(async (flags: Flags) => {
    const { title, risk, file, url, again } = flags
    const options = flags.option?.map(optionOf)
    if (again !== undefined && risk !== undefined)
      throw new UsageError('the risk of an item stays as it is', 'leave out --risk, or submit a new item')
    if (again === undefined && (title ?? '').trim() === '')
      throw new UsageError('say what it is', 'svc review submit --title <text>')
    const review_id = again === undefined ? null : reviewId(again)
    const summary = flags.summary === '-' ? await text(cli.io.stdin) : flags.summary
    const fields = {
      ...(summary !== undefined && { summary }),
      ...(file !== undefined && { files: [...file] }),
      ...(options !== undefined && { options }),
      ...(url !== undefined && { url }),
    }
    const { client, project_id } = await cli.project(flags.project)
    const { reviews } = client.projects
    const item: ReviewItem =
      review_id === null
        ? await reviews.submit(project_id, {
            ...fields,
            title: title ?? '',
            ...(risk !== undefined && { risk }),
            ...(options !== undefined && { kind: 'decision' as const }),
          })
        : await reviews.resubmit(project_id, review_id, { ...fields, ...(title !== undefined && { title }) })
    if (flags.json) return cli.out.json(item)
    cli.out.line(`Submitted ${item.review_id}  ${oneLine(item.title)}`)
    cli.out.note(
      item.session_id === null
        ? 'svc review show tells the verdict.'
        : 'The verdict comes to the session as a prompt.',
    )
  })
}

function optionOf(given: string): { id: string; label: string } {
  const [, id = '', label = ''] = /^([^=]+)=(.+)$/s.exec(given) ?? []
  if (id === '') throw new UsageError(`${given} is no option`, 'write it as --option now=Tonight')
  return { id, label }
}
