import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, positive, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly follow?: true
  readonly release?: number
  readonly build?: true
}

export const logs: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<app>')))
    .option('-f, --follow', 'go on with what is written now')
    .option('--release <number>', 'only the lines of this release', positive)
    .option('--build', 'only what its builds printed')
    .action(async (name: string, { release, build, ...flags }: Flags) => {
      const { client, project_id } = await cli.project(flags.project)
      const { apps } = client.projects
      const only = { ...(release !== undefined && { release }), ...(build && { source: 'build' as const }) }
      const print = (line: { readonly at: string; readonly line: string }) =>
        cli.out.line(
          flags.json ? JSON.stringify(line) : `${cli.out.colors.dim(line.at)}  ${oneLine(line.line)}`,
        )
      if (flags.follow) {
        for await (const line of apps.logs(project_id, name, only)) print(line)
        return
      }
      let after = 0
      for (;;) {
        const page = await apps.readLog(project_id, name, { ...only, after, limit: 200 })
        page.lines.forEach(print)
        if (page.lines.length < 200) return
        after = page.last_seq
      }
    })
}
