import type { ToolCall } from './tool-calls.ts'

/** The input of a tool by its names. */
export function inputOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Readonly<Record<string, unknown>>)
    : {}
}

const subjects = [
  'command',
  'filePath',
  'file_path',
  'path',
  'pattern',
  'url',
  'query',
  'description',
  'name',
]

/** The subject of a tool, whole: the command, the file, the pattern. */
export function subjectOf({ input, title }: Pick<ToolCall, 'input' | 'title'>): string {
  const given = inputOf(input)
  for (const name of subjects) {
    const value = given[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return title ?? ''
}

export type Outcome = 'running' | 'completed' | 'failed'

/** The end of a tool: an error, or a program that said no with its exit code, is a failure whatever else it says. */
export function outcomeOf({ status, exit_code }: Pick<ToolCall, 'status' | 'exit_code'>): Outcome {
  if (status === 'error' || status === 'failed' || (exit_code !== null && exit_code !== 0)) return 'failed'
  return status === 'completed' ? 'completed' : 'running'
}

/** The file that a tool wrote, with the texts before and after where it tells them. */
export function editOf(call: Pick<ToolCall, 'tool' | 'input'>) {
  const given = inputOf(call.input)
  const path = given['filePath'] ?? given['file_path'] ?? given['path']
  if (typeof path !== 'string') return null
  const before = given['oldString'] ?? given['old_string']
  const after = given['newString'] ?? given['new_string'] ?? given['content']
  if (typeof after !== 'string') return null
  return { path, before: typeof before === 'string' ? before : '', after }
}
