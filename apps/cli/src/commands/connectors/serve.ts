import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { OperationError } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { type ProjectFlag, projectFlag, repeated } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends ProjectFlag {
  readonly root: string
  readonly name?: string
  readonly allowShell?: true
  readonly mcp?: readonly string[]
}

export const serve: Configure = (command, cli) => {
  command
    .argument('<slug>', 'the connector of provider computer, whose slug is computer')
    .option('--root <dir>', 'the folder whose files are served, and no others', '.')
    .option('--name <text>', 'what this computer is known by; else its host name')
    .option('--allow-shell', 'let commands be run here, with all that you may do')
    .option('--mcp <command>', 'serve the tools of an MCP server over stdio; may be given again', repeated)
  projectFlag(command).action(async (slug: string, flags: Flags) => {
    const { client, project_id, target } = await cli.project(flags.project)
    const { provider } = await client.projects.connectors.get(project_id, slug)
    if (provider !== 'computer')
      throw new OperationError(
        `${slug} is of provider ${provider}, which no computer serves`,
        'declare a connector with `slug: computer` and `provider: computer` in svc.yaml',
      )
    const { computersFolder, ownConnection } = await import('../../computer/own-connection.ts')
    const { serveComputer } = await import('../../computer/serve-computer.ts')
    const folder = computersFolder(cli.config_file)
    const { name = hostname() } = flags
    const { api_url } = target
    const { connection_id, scope } = await ownConnection(client, { api_url, project_id, slug, name, folder })
    const { token } = await cli.connect()
    const left = new AbortController()
    const undo = cli.io.onInterrupt(() => left.abort())
    const root = resolve(cli.io.cwd, flags.root)
    const whose =
      scope === 'personal' ? 'you, and the sessions that you start,' : 'the sessions of the project'
    const may = flags.allowShell
      ? 'read and change its files, and run commands here'
      : 'read and change its files'
    const words = {
      connected: `Serving ${oneLine(root)} as ${oneLine(name)}: ${whose} may ${may}. Ctrl-C ends it.`,
      disconnected: 'The connection broke; dialling again',
      unreachable: `No way to ${target.host} as it is now; dialling on`,
    }
    try {
      await serveComputer({
        ...{ name, token, root, mcp: flags.mcp ?? [], allow_shell: flags.allowShell ?? false },
        url: socketUrl(`${api_url}/projects/${project_id}/connectors/${slug}/connections/${connection_id}`),
        journal: join(folder, `${connection_id}.calls`),
        signal: left.signal,
        onState: (state) => cli.out.note(words[state]),
      })
    } finally {
      undo()
    }
  })
}

function socketUrl(connection: string): URL {
  const url = new URL(`${connection}/computer`)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url
}
