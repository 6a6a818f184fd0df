import { isApiError } from '@svc/sdk'
import type { Cli } from '../../cli.ts'
import { findLink } from '../../config/link-file.ts'
import { git } from '../../git.ts'
import { identify } from '../auth/identify.ts'
import { failed, type ShownFinding } from './finding.ts'

/** A check of this machine: what is wrong, or nothing. */
type ClientCheck = (cli: Cli) => Promise<readonly ShownFinding[]>

const messageOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)

/** Git does the work of `svc ship` and of clones. */
const gitRuns: ClientCheck = async ({ io }) => {
  const found = await git(io.cwd, ['--version']).catch(() => null)
  return found?.code === 0 ? [] : [failed('git', 'git', 'git does not run here; install git')]
}

const hostAnswers: ClientCheck = async (cli) => {
  const { api_url } = await cli.target()
  try {
    const { maintenance } = await cli.clientFor(api_url, null).health()
    if (maintenance === undefined || maintenance.mode === 'off') return []
    const message = `The platform is closed (${maintenance.mode})${maintenance.message === null ? '' : `: ${maintenance.message}`}`
    return [{ ...failed('maintenance', api_url, message), severity: 'warning' }]
  } catch (error) {
    return [failed('host', api_url, `The platform does not answer: ${messageOf(error)}`)]
  }
}

const tokenWorks: ClientCheck = async (cli) => {
  const { api_url, token, host } = await cli.target()
  if (token === null) return [failed('token', host, `Not logged in; run svc login --host ${host}`)]
  try {
    await identify((await cli.connect()).client)
    return []
  } catch (error) {
    const next = isApiError(error) && error.status === 401 ? `; run svc login --host ${host}` : ''
    return [failed('token', api_url, `The token does not work: ${messageOf(error)}${next}`)]
  }
}

const linkLeadsSomewhere: ClientCheck = async (cli) => {
  const link = await findLink(cli.io.cwd)
  if (link === null) return []
  try {
    await (await cli.connect()).client.projects.get(link.project_id)
    return []
  } catch (error) {
    return [failed('link', link.file, `The project of this folder cannot be reached: ${messageOf(error)}`)]
  }
}

/** In turn; without an answer of the host the others have nothing to say. */
export async function clientFindings(cli: Cli): Promise<readonly ShownFinding[]> {
  const found = [...(await gitRuns(cli)), ...(await hostAnswers(cli))]
  if (found.some(({ check }) => check === 'host')) return found
  const token = await tokenWorks(cli)
  if (token.length > 0) return [...found, ...token]
  return [...found, ...(await linkLeadsSomewhere(cli))]
}
