import type { ToolCall, Turn } from './conversation.ts'
import { say, type Step } from './step.ts'
import { scriptName } from './tool-names.ts'
import { fileFor, quoted, tail, titleOf } from './words.ts'

const nature =
  'I follow a script and am no AI: I copy what I am asked into a file, commit it and open a change request.'

interface Deed {
  readonly call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  /** The output of the tool when it has worked: exit codes are not shown to a model. */
  readonly worked: RegExp
  readonly purpose: string
}

/** Some agents write a word of theirs before the first line of what a command said. */
const pushed = /^(?:Output: )?pushed ([0-9a-f]{4,40})$/m
const opened = /^(?:Output: )?(Opened #\d+.*)$/m

/** Write down what was asked, commit and push it, and open a change request the first time. Stops at the first failure. */
export function defaultStep(turns: readonly Turn[], offered: ReadonlySet<string>): Step {
  const turn = turns.at(-1)
  if (!turn) return say(nature)
  const missing = ['write', 'bash'].filter((name) => !offered.has(name))
  if (missing.length > 0)
    return say(`I can change nothing here without the tools ${missing.join(' and ')}. ${nature}`)
  const deeds = deedsFor(turns)
  const done = turn.calls.filter((call) => call.result !== null)
  for (const [index, deed] of deeds.entries()) {
    const result = done[index]?.result
    if (result === undefined || result === null) return { text: '', call: deed.call }
    if (!deed.worked.test(result)) return say(`I stopped: ${deed.purpose} did not work.\n\n${tail(result)}`)
  }
  return say(summary(turns, done))
}

function deedsFor(turns: readonly Turn[]): readonly Deed[] {
  const requests = turns.map((turn) => turn.request)
  const path = fileFor(requests[0] ?? '')
  const title = titleOf(requests.at(-1) ?? '')
  // Without a command within another, which Gemini CLI refuses.
  const commit = `git add -A && git commit -qm ${quoted(title)} && git push -q && printf 'pushed ' && git rev-parse --short HEAD`
  const deeds: Deed[] = [
    {
      call: { tool: 'write', input: { filePath: path, content: contentFor(requests) } },
      worked: /wrote|written|success/i,
      purpose: `writing ${path}`,
    },
    {
      call: { tool: 'bash', input: { command: commit, description: 'Commit and push the change' } },
      worked: pushed,
      purpose: 'committing and pushing',
    },
  ]
  if (hasOpened(turns.slice(0, -1))) return deeds
  const command = `svc cr open --title ${quoted(titleOf(requests[0] ?? ''))}`
  const open = { tool: 'bash', input: { command, description: 'Open a change request' } }
  return [...deeds, { call: open, worked: opened, purpose: 'opening the change request' }]
}

function hasOpened(turns: readonly Turn[]): boolean {
  return turns.some((turn) =>
    turn.calls.some((call) => scriptName(call.tool) === 'bash' && opened.test(call.result ?? '')),
  )
}

function contentFor(requests: readonly string[]): string {
  const [first = '', ...later] = requests
  const parts = [
    `# ${titleOf(first)}`,
    asQuote(first),
    ...later.map((request) => `## Asked later\n\n${asQuote(request)}`),
  ]
  return `${parts.join('\n\n')}\n\nWritten by the scripted demo model, which copies what it is asked.\n`
}

function asQuote(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

function summary(turns: readonly Turn[], done: readonly ToolCall[]): string {
  const commit = pushed.exec(done[1]?.result ?? '')?.[1] ?? ''
  const path = fileFor(turns[0]?.request ?? '')
  const request = opened.exec(done[2]?.result ?? '')?.[1]
  if (request === undefined)
    return `I added this to ${path} and pushed it as ${commit}; the change request shows it.`
  return `I wrote ${path} and pushed it as ${commit}. ${request}\n\n${nature}`
}
