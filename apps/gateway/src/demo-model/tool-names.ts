/** The script's own tools, and the names under which agents offer theirs that do the same. */
const names = {
  write: ['write', 'Write', 'write_file'],
  bash: ['bash', 'Bash', 'run_shell_command', 'exec_command', 'shell'],
} as const

type ScriptTool = keyof typeof names

const entries = Object.entries(names)

/** The name that the script has for a tool of any agent. */
export function scriptName(tool: string): string {
  return entries.find(([, offered]) => offered.some((name) => name === tool))?.[0] ?? tool
}

/** The name by which an agent offers a tool of the script; the script's own where it is offered. */
export function offeredName(tool: string, offered: ReadonlySet<string>): string | null {
  if (offered.has(tool)) return tool
  return isScriptTool(tool) ? (names[tool].find((name) => offered.has(name)) ?? null) : null
}

/** Shells of agents that write with them, and offer no other tool for it. */
export const writingShells = ['exec_command', 'shell'] as const

/** Every tool that a script may ask for. */
export function scriptTools(offered: ReadonlySet<string>): ReadonlySet<string> {
  const known = new Set([...offered, ...[...offered].map(scriptName)])
  return writingShells.some((name) => offered.has(name)) ? known.add('write') : known
}

function isScriptTool(tool: string): tool is ScriptTool {
  return tool in names
}
