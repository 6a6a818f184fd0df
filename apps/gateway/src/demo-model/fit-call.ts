import type { ChatTool } from '../chat-request.ts'
import type { Step } from './step.ts'
import { offeredName, writingShells } from './tool-names.ts'
import { quoted } from './words.ts'

const pathName = /^(file_?)?path$/i
const commandNames = ['command', 'cmd']
/** Agents whose tools want whole paths have the repository here. */
const workspace = '/workspace'

type Input = Readonly<Record<string, unknown>>

/** Agents name tools, and what tools take, differently: a call takes the names that the offered tool has. */
export function fitCall({ text, call }: Step, tools: readonly ChatTool[]): Step {
  if (call === null) return { text, call }
  const offered = new Set(tools.map((tool) => tool.function.name))
  const tool = offeredName(call.tool, offered)
  if (tool === null) {
    const canWrite = call.tool === 'write' && writingShells.some((name) => offered.has(name))
    return !canWrite ? { text, call } : fitCall({ text, call: byShell(call.input) }, tools)
  }
  const known = tools.find((one) => one.function.name === tool)?.function.parameters?.properties ?? {}
  const named = renamed(
    renamed(call.input, known, (name) => pathName.test(name)),
    known,
    (name) => commandNames.includes(name),
  )
  return { text, call: { tool, input: tool === call.tool ? named : ownInput(tool, named, known) } }
}

/** The input with the member of a kind under the name that the offered tool has for it. */
function renamed(input: Input, known: object, isOfKind: (name: string) => boolean): Input {
  const wanted = Object.keys(known).find(isOfKind)
  if (wanted === undefined) return input
  const rename = (name: string) => (isOfKind(name) && !(name in known) ? wanted : name)
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [rename(name), value]))
}

/** Other agents refuse members that they do not know; Claude Code refuses paths that are not whole as well. */
function ownInput(tool: string, input: Input, known: Readonly<Record<string, unknown>>): Input {
  const kept = Object.entries(input).filter(([name]) => name in known)
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (typeof value !== 'string') return [name, value]
      if (tool === 'Write' && pathName.test(name))
        return [name, value.startsWith('/') ? value : `${workspace}/${value}`]
      const isList = Object(known[name]).type === 'array'
      return [name, commandNames.includes(name) && isList ? ['bash', '-lc', value] : value]
    }),
  )
}

function byShell({ filePath, content }: Input) {
  const path = String(filePath)
  const folder = path.includes('/') ? `mkdir -p ${quoted(path.slice(0, path.lastIndexOf('/')))} && ` : ''
  const command = `${folder}printf %s ${quoted(String(content))} > ${quoted(path)} && echo ${quoted(`wrote ${path}`)}`
  return { tool: 'bash', input: { command, description: `Write ${path}` } }
}
