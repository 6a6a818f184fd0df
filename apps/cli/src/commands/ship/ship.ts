import { counted } from '@svc/facts'
import { judge } from '@svc/manifest'
import { OperationError, ReportedFailure } from '../../failures.ts'
import { letGitIn, managedAccess } from '../../git-access.ts'
import { oneLine } from '../../output/plain.ts'
import type { Cli } from '../../cli.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { filesToJudge } from '../manifest/manifest-files.ts'
import { printVerdict } from '../manifest/print-verdict.ts'
import { commitReader } from './commit-reader.ts'
import { push } from './push.ts'
import { followBranch, nameRemote, otherName, rememberOtherName } from './remote.ts'
import { shipProject } from './ship-project.ts'
import { openWorkTree, type WorkTree } from './work-tree.ts'

interface Flags extends ProjectFlag {
  readonly name?: string
  readonly branch?: string
}

export const ship: Configure = (command, cli) => {
  projectFlag(command)
    .option('--name <name>', "the new project's name at the first run; else the folder's")
    .option('--branch <branch>', "the project's branch to push to; else the one of the same name")
    .action(async (flags: Flags) => {
      const tree = await openWorkTree(cli.io.cwd)
      await judgeCommit(cli, tree)
      if (tree.uncommitted > 0) {
        cli.out.note(
          `${counted(tree.uncommitted, 'file')} with uncommitted changes: only commits are shipped.`,
        )
      }

      const { client, project } = await shipProject(cli, tree, flags)
      const url = project.git_origin_url
      if (url === null) {
        throw new OperationError(
          `${oneLine(project.name)} lives on a git host of its own`,
          `push there: git push ${project.repo_url} ${tree.branch}`,
        )
      }
      const branches = await client.projects.branches.list(project.project_id)
      // The first branch of a project is its default branch, whatever it is called here.
      const fallback = branches.length === 0 ? project.default_branch : tree.branch
      const known = await otherName(tree)
      const branch = flags.branch ?? known ?? fallback
      // A login by browser has another token by now, where the one that was kept has ended.
      const { target: host, token } = await cli.connect()
      const access = managedAccess(url, await token())
      const pushed = await push(tree, { access, branch, show_progress: cli.io.stderr.isTTY === true })
      await nameRemote(tree, url)
      await letGitIn(tree.root, host, url)
      if (flags.branch === undefined) await followBranch(tree, branch)
      if (flags.branch === undefined && branch !== tree.branch && branch !== known) {
        await rememberOtherName(tree, branch)
      }
      const target = `${oneLine(branch)} of ${oneLine(project.name)}`
      if (pushed.kind === 'pushed') cli.out.line(`Shipped ${pushed.summary} to ${target}`)
      else cli.out.line(`${target} is up to date at ${tree.commit.slice(0, 9)}`)
      if (branch !== project.default_branch) cli.out.note(`next: svc cr open --title <text> --head ${branch}`)
    })
}

/** The pushed commit is judged like at a merge, where a repository without a manifest is acceptable. */
async function judgeCommit(cli: Cli, tree: WorkTree): Promise<void> {
  const files = await filesToJudge(commitReader(tree))
  if (files['svc.yaml'] === undefined && files['svc.toml'] === undefined) return
  const verdict = judge({ files })
  if (verdict.issues.length > 0) printVerdict(cli.out, { files, labelOf: (file) => file }, verdict)
  if (verdict.valid) return
  cli.out.note('Nothing was pushed. Correct the manifest and commit it.')
  throw new ReportedFailure()
}
