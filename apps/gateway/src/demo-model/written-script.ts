import { z } from 'zod'
import type { Turn } from './conversation.ts'
import { say, type Step } from './step.ts'

const Ask = z.union([
  z
    .string()
    .min(1)
    .transform((question) => ({ question, header: undefined, options: undefined })),
  z.object({
    question: z.string().min(1),
    header: z.string().optional(),
    options: z.array(z.string()).min(1).optional(),
  }),
])

const ScriptStep = z.union([
  z.strictObject({ tool: z.string().min(1), input: z.record(z.string(), z.unknown()).default({}) }),
  z.strictObject({ say: z.string() }),
  z.strictObject({ ask: Ask }),
])

type ScriptStep = z.infer<typeof ScriptStep>

const fence = /```svc-script[^\S\n]*\n([\s\S]*?)```/

/** The next step of the script that a request carries in a fenced block; null when it carries none. */
export function writtenStep(turn: Turn, offered: ReadonlySet<string>): Step | null {
  const block = fence.exec(turn.request)?.[1]
  if (block === undefined) return null
  const script = parse(block)
  if (typeof script === 'string') return say(script)
  const { acts, closing } = inActs(script)
  const done = turn.calls.filter((call) => call.result !== null).length
  const act = acts[done]
  if (!act) return say(closing.join('\n') || `The script has ended after ${done} tool calls.`)
  if (!offered.has(act.call.tool))
    return say(`The script asks for the tool ${act.call.tool}, which is not offered here.`)
  return { text: act.words.join('\n'), call: act.call }
}

function parse(block: string): readonly ScriptStep[] | string {
  let value: unknown
  try {
    value = JSON.parse(block)
  } catch {
    return 'The svc-script block is not JSON.'
  }
  const steps = z.array(ScriptStep).safeParse(value)
  if (steps.success) return steps.data
  const [issue] = steps.error.issues
  return `Step ${String(issue?.path[0] ?? '')} of the svc-script block is none of { tool, input }, { say } and { ask }.`
}

interface Act {
  readonly words: readonly string[]
  readonly call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
}

/** The words before a tool call belong to the same completion. */
function inActs(steps: readonly ScriptStep[]): { acts: readonly Act[]; closing: readonly string[] } {
  const acts: Act[] = []
  let words: string[] = []
  for (const step of steps) {
    if ('say' in step) words.push(step.say)
    else {
      acts.push({ words, call: 'tool' in step ? { tool: step.tool, input: step.input } : question(step.ask) })
      words = []
    }
  }
  return { acts, closing: words }
}

function question({ question, header, options = ['Yes', 'No'] }: z.infer<typeof Ask>) {
  const choices = options.map((text) => ({ label: text, description: text }))
  return {
    tool: 'question',
    input: { questions: [{ question, header: header ?? question.slice(0, 30), options: choices }] },
  }
}
