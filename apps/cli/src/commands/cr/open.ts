import { type Command, Option } from 'commander'
import { UsageError } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { currentBranch } from './current-branch.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly title: string
  readonly description?: string
  readonly body?: string
  readonly head?: string
  readonly from?: string
  readonly base?: string
  readonly into?: string
  readonly session?: string
}

export const open: Configure = (command, cli) => {
  withAliases(command.requiredOption('--title <text>', 'what it does, in one line (required)'))
  projectFlag(
    jsonFlag(command.option('--session <id>', 'the session it comes from; in a sandbox its own')),
  ).action(async (flags: Flags) => {
    const { env } = cli.io
    if (flags.title.trim() === '')
      throw new UsageError('--title must not be blank', 'say in a line what changes')
    const head_ref =
      one(flags, 'head', 'from') ?? (env['SVC_BRANCH_NAME'] || env['SVC_HEAD_REF'] || (await linkedBranch()))
    const base_ref = one(flags, 'base', 'into')
    const description = one(flags, 'description', 'body')
    const { client, project_id } = await cli.project(flags.project)
    // The sandbox's session belongs to its own project only.
    const ownProject = !env['SVC_PROJECT_ID'] || env['SVC_PROJECT_ID'] === project_id
    const session_id = flags.session ?? ((ownProject && env['SVC_SESSION_ID']) || undefined)
    const cr = await client.projects.changeRequests.create(project_id, {
      title: flags.title,
      head_ref,
      ...(base_ref === undefined ? {} : { base_ref }),
      ...(description === undefined ? {} : { description }),
      ...(session_id === undefined ? {} : { session_id }),
    })
    if (flags.json) return cli.out.json(cr)
    cli.out.line(`Opened #${cr.number}  ${oneLine(cr.title)}`)
    cli.out.line(`${oneLine(cr.head_ref)} -> ${oneLine(cr.base_ref)}  ${cr.cr_id}`)
  })

  /** Outside a sandbox a branch is guessed only in a folder that is linked to the project. */
  async function linkedBranch(): Promise<string> {
    const branch = (await cli.link()) === null ? null : await currentBranch(cli.io.cwd)
    if (branch !== null) return branch
    throw new UsageError('--head is required here', 'svc cr open --title <text> --head <ref> --project <id>')
  }
}

function withAliases(command: Command): void {
  const pairs = [
    ['description', 'text', 'body', 'why, and what to look at'],
    ['head', 'ref', 'from', 'branch to merge; in a sandbox its own, in a linked folder the current one'],
    ['base', 'ref', 'into', "branch to merge into; else the project's default branch"],
  ] as const
  for (const [name, value, alias, words] of pairs) {
    command.addOption(new Option(`--${name} <${value}>`, `${words} (also --${alias})`).conflicts(alias))
    command.addOption(new Option(`--${alias} <${value}>`).hideHelp())
  }
}

function one<Name extends string>(
  flags: { readonly [K in Name]?: string },
  name: Name,
  alias: Name,
): string | undefined {
  return flags[name] ?? flags[alias]
}
