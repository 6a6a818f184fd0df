import { spawn } from 'node:child_process'
import type { Cli } from '../../cli.ts'
import { OperationError } from '../../failures.ts'
import { git, gitMaybe, gitText } from '../../git.ts'
import { oneLine } from '../../output/plain.ts'
import { waitingFor } from '../../output/spinner.ts'
import { requireCheckout } from '../../self-host/checkout.ts'
import type { Configure } from '../groups.ts'

export const update: Configure = (command, cli) => {
  command
    .option('--check', 'only tell what is new')
    .action(async (flags: { check?: true }) => updateCheckout(cli, flags.check === true))
}

/** Brings the checkout that this command belongs to up to its branch's upstream, and builds it. Never merges. */
async function updateCheckout(cli: Cli, check: boolean): Promise<void> {
  const { io, out } = cli
  const checkout = await requireCheckout('update')
  const upstream = await gitMaybe(checkout, ['rev-parse', '--abbrev-ref', '@{upstream}'])
  if (upstream === null) {
    throw new OperationError(
      `${checkout} follows no branch of a remote`,
      'git branch --set-upstream-to=origin/main, in that folder',
    )
  }
  const fetched = await waitingFor(cli, 'Fetching', git(checkout, ['fetch', '--quiet']))
  if (fetched.code !== 0) {
    throw new OperationError(`the remote cannot be fetched: ${lastLine(fetched.stderr)}`)
  }
  const news = await gitText(checkout, ['log', '--format=%h %s', 'HEAD..@{upstream}'])
  if (news === '') return out.line('Nothing new')
  for (const commit of news.split('\n')) out.line(oneLine(commit))
  if (check) return
  const moved = await git(checkout, ['merge', '--quiet', '--ff-only', '@{upstream}'])
  if (moved.code !== 0) {
    throw new OperationError(
      `the checkout cannot be moved to ${upstream}: ${lastLine(moved.stderr)}`,
      `git status, in ${checkout}`,
    )
  }
  const built = spawn(process.execPath, ['scripts/run-setup.mjs'], {
    cwd: checkout,
    env: { ...io.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise((resolve, reject) => built.once('error', reject).once('close', resolve))
  if (code !== 0) throw new OperationError('the new version does not build', `npm run setup, in ${checkout}`)
  out.line(`Updated to ${await gitText(checkout, ['rev-parse', '--short', 'HEAD'])}`)
  out.note('A platform that runs goes on with the old version: svc self-host stop, then start.')
}

function lastLine(text: string): string {
  return oneLine(text.trim().split('\n').at(-1) ?? '')
}
