import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { riskOfAnnotations } from '@svc/connector'
import { type LocalTool, ToolFailure } from '../local-tool.ts'

const callMs = 3_600_000
const startMs = 30_000

export interface StdioServer {
  readonly tools: readonly LocalTool[]
  readonly close: () => Promise<void>
}

/** Starts an MCP server and serves its tools; one that ended is started again for the next call. */
export async function stdioServer(command: string, cwd: string): Promise<StdioServer> {
  let running: Promise<Client> | null = null

  async function start(): Promise<Client> {
    const [file = '', ...args] = wordsIn(command)
    const client = new Client({ name: 'svc', version: '1' }, { capabilities: {} })
    client.onclose = () => (running = null)
    await client.connect(new StdioClientTransport({ command: file, args, cwd, stderr: 'ignore' }), {
      timeout: startMs,
    })
    return client
  }

  function client(): Promise<Client> {
    running ??= start().catch((error: unknown) => {
      running = null
      throw new Error(`The MCP server \`${command}\` does not start; run the command by itself to see why`, {
        cause: error,
      })
    })
    return running
  }

  const tools: LocalTool[] = []
  let cursor: string | undefined
  do {
    const page = await (
      await client()
    ).listTools(cursor === undefined ? {} : { cursor }, { timeout: startMs })
    for (const { name, title, description = '', inputSchema, annotations } of page.tools)
      tools.push({
        action: name,
        title: title ?? annotations?.title ?? null,
        description,
        risk: riskOfAnnotations(annotations),
        input_schema: inputSchema,
        run: async (args, { signal, onProgress }) => {
          const params = { name, arguments: { ...args } }
          const result = await (
            await client()
          ).request({ method: 'tools/call', params }, CallToolResultSchema, {
            signal,
            timeout: callMs,
            onprogress: ({ message, progress }) => onProgress(message ?? String(progress)),
          })
          const data = { content: result.content, structured_content: result.structuredContent ?? null }
          if (result.isError !== true) return { data }
          const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
          throw new ToolFailure(texts.join('\n').slice(0, 2_000) || `${name} failed`, data)
        },
      })
    cursor = page.nextCursor
  } while (cursor !== undefined && tools.length < 5_000)

  return {
    tools,
    close: async () => {
      await (await running?.catch(() => null))?.close()
    },
  }
}

/** The words of a command, as a shell reads quotes; nothing else of a shell is meant. */
export function wordsIn(command: string): string[] {
  const words = command.match(/(?:[^\s"']+|"(?:\\.|[^"\\])*"|'[^']*')+/g) ?? []
  return words.map((word) =>
    word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_, double?: string, single?: string) =>
      double === undefined ? (single ?? '') : double.replace(/\\(.)/g, '$1'),
    ),
  )
}
