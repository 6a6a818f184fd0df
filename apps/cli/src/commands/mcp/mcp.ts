import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { mcpServers } from '@svc/mcp'
import { Argument } from 'commander'
import { OperationError } from '../../failures.ts'
import { version } from '../../version.ts'
import type { Configure } from '../groups.ts'

export const mcp: Configure = (command, cli) => {
  command.action(async () => {
    const { target, token } = await cli.connect()
    const origin = target.api_url.replace(/\/v1$/, '')
    const server = mcpServers({ document: await documentOf(target.api_url), version })(
      async (path, { headers, ...request }) =>
        fetch(origin + path, {
          ...request,
          redirect: 'error',
          headers: {
            ...headers,
            Authorization: `Bearer ${await token()}`,
            'User-Agent': `svc-mcp/${version}`,
          },
        }),
    )
    const closed = new Promise<void>((resolve) => {
      server.server.onclose = resolve
      // The client ends by closing the pipe, which the transport itself does not look for.
      cli.io.stdin.once('end', () => void server.close())
    })
    await server.connect(new StdioServerTransport())
    await closed
  })
  command
    .command('bridge')
    .description('serve the connectors of a project, as executor, to an MCP client over stdin and stdout')
    .addArgument(new Argument('<server>', 'the server behind the bridge').choices(['executor']))
    .option('--project <project>', 'name or id of the project')
    .action(async (_server: string, { project }: { readonly project?: string }) =>
      (await import('./bridge.ts')).bridgeExecutor(cli, project),
    )
}

async function documentOf(api_url: string): Promise<unknown> {
  const response = await fetch(`${api_url}/openapi.json`).catch((cause: unknown) => {
    throw new OperationError(`${api_url} does not answer`, 'check the address and that the platform runs', {
      cause,
    })
  })
  if (response.ok) return response.json()
  throw new OperationError(
    `${api_url}/openapi.json answered ${response.status}`,
    'the tools are made from it; the operator may have turned it off: use the hosted server at /v1/mcp',
  )
}
