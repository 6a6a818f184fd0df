import type { ChatTool } from '../chat-request.ts'
import type { Step } from './step.ts'

const pathName = /^(file_?)?path$/i

/** Runtimes name the path of a tool differently: a call takes the name that the offered tool has. */
export function fitCall({ text, call }: Step, tools: readonly ChatTool[]): Step {
  const offered = tools.find((tool) => tool.function.name === call?.tool)?.function.parameters?.properties
  const known = Object.keys(offered ?? {})
  const wanted = known.find((name) => pathName.test(name))
  if (call === null || wanted === undefined) return { text, call }
  const rename = (name: string) => (pathName.test(name) && !known.includes(name) ? wanted : name)
  const input = Object.fromEntries(Object.entries(call.input).map(([name, value]) => [rename(name), value]))
  return { text, call: { ...call, input } }
}
