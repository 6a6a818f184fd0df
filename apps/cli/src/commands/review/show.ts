import { ago } from '../../output/ago.ts'
import { oneLine, plain } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { reviewArgument, reviewId } from './review-argument.ts'

export const show: Configure = (command, cli) => {
  projectFlag(jsonFlag(reviewArgument(command))).action(
    async (given: string, flags: JsonFlag & ProjectFlag) => {
      const review_id = reviewId(given)
      const { client, project_id } = await cli.project(flags.project)
      const item = await client.projects.reviews.get(project_id, review_id)
      if (flags.json) return cli.out.json(item)
      const { out } = cli
      out.line(out.colors.bold(oneLine(item.title)))
      out.fields([
        ['status', item.status.replace('_', ' ')],
        ['kind', item.kind],
        ['risk', item.risk],
        ['version', String(item.version)],
        ['id', item.review_id],
        ['session', item.session_id],
        ['url', item.url === null ? null : oneLine(item.url)],
        ['submitted', `${ago(item.created_at, Date.now())} (${item.created_at})`],
        [
          'decided',
          item.decided_at === null ? null : `${ago(item.decided_at, Date.now())} (${item.decided_at})`,
        ],
        ['chosen', item.option === null ? null : oneLine(item.option)],
      ])
      if (item.summary.trim() !== '') out.line(`\n${plain(item.summary).trimEnd()}`)
      if (item.options.length > 0) out.line('\nOptions:')
      for (const { id, label } of item.options) out.line(`  ${oneLine(id)}  ${oneLine(label)}`)
      if (item.files.length > 0) out.line('\nFiles:')
      for (const { path, commit_sha } of item.files)
        out.line(`  ${oneLine(path)}  at ${commit_sha.slice(0, 12)}`)
      if (item.feedback !== null) out.line(`\nFeedback: ${plain(item.feedback)}`)
    },
  )
}
