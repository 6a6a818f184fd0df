import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { mcpServers } from '@svc/mcp'
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
