import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { reviewArgument, reviewId } from './review-argument.ts'

export const withdraw: Configure = (command, cli) => {
  projectFlag(jsonFlag(reviewArgument(command))).action(
    async (given: string, flags: JsonFlag & ProjectFlag) => {
      const review_id = reviewId(given)
      const { client, project_id } = await cli.project(flags.project)
      const item = await client.projects.reviews.withdraw(project_id, review_id)
      if (flags.json) return cli.out.json(item)
      cli.out.line(`Withdrew ${oneLine(item.title)}`)
    },
  )
}
