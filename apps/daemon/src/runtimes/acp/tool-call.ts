import { isAbsolute } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { daemonLimits } from '../../limits.ts'
import { cleanText, cleanValue } from '../../shared/clean.ts'
import { insideOf } from '../../shared/inside-of.ts'
import type { RuntimeMessage } from '../runtime.ts'
import type { ToolContent, ToolUpdate } from './schemas.ts'

/** A tool call as the platform tells it. */
export type ToolStatus = 'pending' | 'running' | 'completed' | 'error'

/** A call of a tool, of which each update changes what it names. */
export interface ToolCall {
  readonly call_id: string
  readonly message_id: string
  readonly began_at: number
  readonly tool: string
  readonly kind: string
  readonly status: ToolStatus
  readonly title: string | null
  readonly input: unknown
  readonly output: string
  readonly locations: readonly { readonly path: string; readonly line: number | null }[]
  readonly diffs: readonly Diff[]
  readonly terminal_id: string | null
  readonly exit_code: number | null
  readonly ended_at: number | null
}

interface Diff {
  readonly path: string
  readonly patch: string
  readonly truncated: boolean
}

const diffMs = 100

const statuses: Readonly<Record<string, ToolStatus>> = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'completed',
  failed: 'error',
}

export const isOver = ({ status }: Pick<ToolCall, 'status'>): boolean =>
  status === 'completed' || status === 'error'

export function newCall(call_id: string, message_id: string, now: number): ToolCall {
  return {
    ...{ call_id, message_id, began_at: now, tool: 'tool', kind: 'other', status: 'pending', title: null },
    ...{ input: null, output: '', locations: [], diffs: [], terminal_id: null, exit_code: null },
    ended_at: null,
  }
}

/** The word of a program for its tool: the protocol has a title for people, and a name only where one is given. */
const plainName = /^[A-Za-z][\w.:-]*$/

/** The call with what an update names of it; a call that is over stays so. */
export function changed(call: ToolCall, update: ToolUpdate, workspace: string, now: number): ToolCall {
  if (isOver(call)) return call
  const { title, kind, content, locations } = update
  const status = statuses[update.status ?? ''] ?? call.status
  const name = update.name ?? (call.tool === 'tool' ? nameOf(title, kind) : null)
  const inside = (path: string) => insideOf(workspace, path)
  return {
    ...call,
    tool: name ?? call.tool,
    kind: kind ?? call.kind,
    status,
    title: title ?? call.title,
    input: update.rawInput ?? call.input,
    output: outputOf(update) ?? call.output,
    locations:
      locations?.map(({ path, line }) => ({ path: inside(path), line: line ?? null })) ?? call.locations,
    diffs: content == null ? call.diffs : diffsOf(content, inside, call.diffs),
    terminal_id: content?.find(({ terminalId }) => terminalId != null)?.terminalId ?? call.terminal_id,
    exit_code: exitCodeOf(update.rawOutput) ?? call.exit_code,
    ended_at: status === 'completed' || status === 'error' ? now : null,
  }
}

function nameOf(title: string | null | undefined, kind: string | null | undefined): string | null {
  if (title != null && plainName.test(title)) return title
  return kind ?? null
}

function outputOf({ content, rawOutput }: ToolUpdate): string | null {
  const said = (content ?? []).flatMap(({ content: block }) => block?.text ?? [])
  if (said.length > 0) return said.join('\n')
  if (rawOutput == null) return null
  if (typeof rawOutput === 'string') return rawOutput
  if (typeof rawOutput === 'object' && 'output' in rawOutput && typeof rawOutput.output === 'string')
    return rawOutput.output
  return JSON.stringify(rawOutput)
}

function exitCodeOf(rawOutput: unknown): number | null {
  if (typeof rawOutput !== 'object' || rawOutput === null) return null
  const values: readonly unknown[] = ['exit_code', 'exitCode', 'exit'].map(
    (key) => (rawOutput as Readonly<Record<string, unknown>>)[key],
  )
  const code = values.find((value) => typeof value === 'number')
  return typeof code === 'number' ? code : null
}

/** Null for texts that differ so much that their comparison would hold everything else up. */
function patchOf(name: string, before: string, after: string): string | null {
  return createTwoFilesPatch(name, name, before, after, undefined, undefined, { timeout: diffMs }) ?? null
}

function diffsOf(
  content: readonly ToolContent[],
  inside: (path: string) => string,
  before: readonly Diff[],
): readonly Diff[] {
  const found = content.flatMap(({ type, path, oldText, newText }): readonly Diff[] => {
    if (type !== 'diff' || path == null || newText == null) return []
    const name = inside(path)
    const whole = patchOf(name, oldText ?? '', newText)
    const patch = cleanText(whole ?? '', daemonLimits.toolChars)
    return [{ path: name, patch, truncated: whole === null || whole.length > daemonLimits.toolChars }]
  })
  return found.length === 0 ? before : found
}

/** The payload of the event for the present state of a call. */
export function payloadOf(call: ToolCall): Record<string, unknown> {
  const { message_id, call_id, kind, locations, diffs, terminal_id, exit_code, began_at, ended_at } = call
  return {
    ...{ message_id, call_id },
    ...shown(call),
    kind,
    ...(locations.length === 0 ? {} : { locations }),
    ...(diffs.length === 0 ? {} : { diffs }),
    ...(terminal_id === null ? {} : { terminal_id }),
    ...(exit_code === null ? {} : { exit_code }),
    ...(ended_at === null ? {} : { duration_ms: ended_at - began_at }),
  }
}

/** The call as a message of the conversation shows it. */
export function shown({ tool, status, title, input, output }: ToolCall): RuntimeMessage['tools'][number] {
  return {
    tool: cleanText(tool, 255),
    status,
    title: title === null || title === '' || title === tool ? null : cleanText(title, 1000),
    input: cleanValue(input ?? null, daemonLimits.toolChars),
    output: output === '' ? null : cleanText(output, daemonLimits.toolChars),
  }
}

const changing = new Set(['edit', 'delete', 'move'])

/** The files of the workspace that a call has changed. */
export function filesOf({ kind, locations, diffs, status }: ToolCall): readonly string[] {
  if (status !== 'completed') return []
  const named = changing.has(kind) ? locations.map(({ path }) => path) : []
  const paths = [...named, ...diffs.map(({ path }) => path)]
  return [...new Set(paths)].filter((path) => !isAbsolute(path))
}
