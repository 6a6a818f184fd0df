import {
  computerLimits,
  type ComputerResult,
  type FrameFromComputer,
  type FrameToComputer,
} from '@svc/connector'
import type { Journal } from './journal.ts'
import { InvalidArguments, type LocalTool, ToolFailure } from './local-tool.ts'

interface Parts {
  readonly tools: ReadonlyMap<string, LocalTool>
  readonly journal: Journal
  /** To the connection that stands now; lost where none does, for the platform asks again. */
  readonly send: (frame: FrameFromComputer) => void
}

type Call = Extract<FrameToComputer, { readonly type: 'call' }>

/** Runs each call once, whatever comes twice, and answers a repeat from the journal. */
export function callRunner({ tools, journal, send }: Parts) {
  const running = new Map<string, AbortController>()

  async function execute({ call_id, action, args }: Call): Promise<ComputerResult> {
    const tool = tools.get(action)
    if (tool === undefined)
      return { ok: false, reason: 'action_not_found', message: `This computer serves no ${action}` }
    const known = journal.find(call_id)
    if (known !== undefined) return known.result ?? interrupted
    const controller = new AbortController()
    running.set(call_id, controller)
    try {
      await journal.begin(call_id)
      const result = await resultOf(tool, args, {
        signal: controller.signal,
        onProgress: (text) => send({ type: 'progress', call_id, text: text.slice(0, 1_000) }),
      })
      await journal.end(call_id, result)
      return result
    } finally {
      running.delete(call_id)
    }
  }

  return {
    async call(call: Call): Promise<void> {
      const { call_id } = call
      // Its end is sent when it comes.
      if (running.has(call_id)) return
      const result = await execute(call).catch((error: unknown): ComputerResult => failed(error))
      send({ type: 'result', call_id, result })
    },
    cancel: (call_id: string) => running.get(call_id)?.abort(),
    cancelAll: () => {
      for (const controller of running.values()) controller.abort()
    },
  }
}

const interrupted: ComputerResult = {
  ok: false,
  reason: 'outcome_unknown',
  message: 'The computer went down while the call ran; it may have happened: look there first',
}

async function resultOf(
  tool: LocalTool,
  args: Call['args'],
  run: Parameters<LocalTool['run']>[1],
): Promise<ComputerResult> {
  try {
    const { data, truncated = false } = await tool.run(args, run)
    return bounded(data, truncated)
  } catch (error) {
    if (run.signal.aborted)
      return {
        ok: false,
        reason: 'call_cancelled',
        message: 'The call was cancelled while it ran; a part of it may have happened',
      }
    return failed(error)
  }
}

function failed(error: unknown): ComputerResult {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, 2_000)
  if (error instanceof InvalidArguments) return { ok: false, reason: 'invalid_arguments', message }
  if (error instanceof ToolFailure) {
    const { data } = bounded(error.data, false)
    return { ok: false, reason: 'upstream_error', message, data }
  }
  return { ok: false, reason: 'upstream_error', message }
}

/** Data within 1 MiB; what is longer becomes the beginning of its text. */
function bounded(data: unknown, truncated: boolean) {
  const text = JSON.stringify(data ?? null)
  if (Buffer.byteLength(text) <= computerLimits.answer_bytes)
    return { ok: true as const, data: data ?? null, truncated }
  const cut = Buffer.from(text)
    .subarray(0, computerLimits.answer_bytes)
    .toString()
    .replace(/\uFFFD$/, '')
  return { ok: true as const, data: cut, truncated: true }
}
