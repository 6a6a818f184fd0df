import { ReportedFailure } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { crId } from '../cr/cr-argument.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly ref?: string
  readonly cr?: string
  readonly wait: boolean
}

export const release: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<app>')))
    .option('--ref <ref>', 'a commit, branch or tag that is on the default branch; its tip by default')
    .option('--cr <number>', 'the head of this change request, as its preview')
    .option('--no-wait', 'do not wait for its end')
    .action(async (name: string, flags: Flags) => {
      const { client, project_id } = await cli.project(flags.project)
      const { apps } = client.projects
      const target = { ...(flags.ref && { ref: flags.ref }), ...(flags.cr && { cr_id: crId(flags.cr) }) }
      const pending = apps.release(project_id, name, target)
      const { number } = await pending
      if (!flags.wait) {
        const made = await pending
        if (flags.json) return cli.out.json(made)
        return cli.out.note(
          `Release ${number} of ${name} is on its way: svc apps logs ${name} --release ${number} -f`,
        )
      }
      if (!flags.json)
        for await (const { line } of apps.logs(project_id, name, { release: number }))
          cli.out.line(oneLine(line))
      const ended = await pending.wait()
      if (flags.json) cli.out.json(ended)
      if (ended.status !== 'ready') {
        if (!flags.json) cli.out.note(`Release ${number} of ${name} is ${ended.status}.`)
        throw new ReportedFailure()
      }
      if (flags.json) return
      if (ended.superseded_by !== null)
        return cli.out.note(`Release ${ended.superseded_by} was ready first, and is shown.`)
      cli.out.note(`${name} shows release ${number}${ended.url === null ? '' : `: ${ended.url}`}`)
    })
}
