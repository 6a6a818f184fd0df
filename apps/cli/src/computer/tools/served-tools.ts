import { realpath } from 'node:fs/promises'
import type { LocalTool } from '../local-tool.ts'
import { listTool, readTool } from './read-files.ts'
import { shellTool } from './run-shell.ts'
import { searchTool } from './search-files.ts'
import { stdioServer } from './stdio-tools.ts'
import { writeTool } from './write-file.ts'

interface Served {
  /** The folder that files are confined to. */
  readonly root: string
  readonly allow_shell: boolean
  /** Commands of MCP servers over stdio. */
  readonly mcp: readonly string[]
}

/** The tools of this machine, each under a name of its own. */
export async function servedTools({ root, allow_shell, mcp }: Served) {
  const real = await realpath(root)
  const own = [
    listTool(real),
    readTool(real),
    searchTool(real),
    writeTool(real),
    ...(allow_shell ? [shellTool(real)] : []),
  ]
  const tools = new Map(own.map((tool) => [tool.action, tool]))
  const servers = await Promise.all(mcp.map((command) => stdioServer(command, real)))
  for (const tool of servers.flatMap((server) => server.tools)) {
    const action = freeName(tool.action, tools)
    tools.set(action, { ...tool, action })
  }
  return {
    tools: tools as ReadonlyMap<string, LocalTool>,
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  }
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name}.${n}`
  return free
}
