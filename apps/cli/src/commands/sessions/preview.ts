import { isPreviewPort } from '@svc/sdk'
import { Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { OperationError, UsageError } from '../../failures.ts'
import { openBrowser } from '../../output/open-browser.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'
import { openPreviewProxy } from './preview-proxy.ts'

interface PreviewFlags extends ProjectFlag {
  readonly open?: true
  readonly link?: true
}

export const preview: Configure = (command, cli) => {
  command
    .argument('<id>', 'the id, or its start')
    .argument('[port]', 'the port that the program in the sandbox listens on', '3000')
    .option('--open', 'look at it in the browser, through a proxy on this machine that is open until Ctrl-C')
    .addOption(
      new Option(
        '--link',
        'an address that shows it in any browser: it works once, within a minute',
      ).conflicts('open'),
    )
  projectFlag(command).action(async (given: string, port: string, flags: PreviewFlags) => {
    const { client, project_id } = await cli.project(flags.project)
    const number = readPort(port)
    const session_id = await findSessionId(client, project_id, given)
    const { external_id, status } = await client.projects.sessions.get(project_id, session_id)
    if (status !== 'running' || external_id === null) {
      throw new OperationError(
        `session ${session_id} is ${status}, so that nothing can be seen in it`,
        status === 'provisioning' ? `svc sessions info ${session_id}` : `svc sessions chat ${session_id}`,
      )
    }
    if (flags.link) {
      const { url } = await client.projects.sessions.previewTicket(project_id, session_id, { port: number })
      return cli.out.line(url)
    }
    const { target } = await cli.connect()
    const url = `${target.api_url}/p/${encodeURIComponent(external_id)}/${number}/`
    if (!flags.open) return cli.out.line(url)
    await lookAt(cli, { url, token: target.token ?? '' })
  })
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535)
    throw new UsageError(`${text} is not a port`, 'give a number from 1 to 65535')
  if (!isPreviewPort(port)) throw new UsageError(`port ${port} is never shown`, 'give the port of a program')
  return port
}

async function lookAt(cli: Cli, there: { url: string; token: string }): Promise<void> {
  const proxy = await openPreviewProxy(there)
  cli.out.line(proxy.url)
  cli.out.note('Ctrl-C ends it.')
  await openBrowser(proxy.url, cli.io.env)
  await new Promise<void>((resolve) => cli.io.onInterrupt(resolve))
  await proxy.close()
}
