import { counted, visibleText } from '@svc/facts'
import {
  Bot,
  ChevronRight,
  FilePen,
  FileSearch,
  Globe,
  type LucideIcon,
  Terminal,
  Wrench,
} from 'lucide-react'
import { memo, useState } from 'react'
import { Elapsed } from './elapsed.tsx'
import { clock } from '../parts/relative-time.ts'
import { State } from '../parts/state.tsx'
import { EditDiff } from './edit-diff.tsx'
import { tailOf } from './plain-output.ts'
import type { ToolCall } from './tool-calls.ts'
import { ToolDiffs } from './tool-diffs-view.tsx'
import { editOf, outcomeOf, subjectOf } from './tool-words.ts'

const icons: Readonly<Record<string, LucideIcon>> = {
  bash: Terminal,
  edit: FilePen,
  write: FilePen,
  patch: FilePen,
  read: FileSearch,
  grep: FileSearch,
  glob: FileSearch,
  list: FileSearch,
  task: Bot,
  webfetch: Globe,
  delete: FilePen,
  move: FilePen,
  search: FileSearch,
  execute: Terminal,
  fetch: Globe,
}

/** One call of a tool: what ran, whole; how long; what it printed; and how it ended, in words as well as in colour. */
export const ToolRow = memo(function ToolRow({ call }: { readonly call: ToolCall }) {
  const outcome = outcomeOf(call)
  const edit = call.diffs.length > 0 ? null : editOf(call)
  // A failure and what runs are open; the rest is at hand.
  const [turned, setTurned] = useState<boolean | null>(null)
  const open = turned ?? outcome !== 'completed'
  const subject = visibleText(subjectOf(call))
  const Icon = icons[call.tool] ?? icons[call.kind ?? ''] ?? Wrench
  return (
    <div
      role="group"
      aria-label={`${call.tool} ${outcome}`}
      className={`card overflow-clip text-13 ${outcome === 'failed' ? 'border-bad-line' : ''}`}
    >
      <div className="flex flex-wrap items-start gap-x-2 gap-y-1 px-2 py-1">
        <button
          type="button"
          className="button quiet small max-w-full min-w-0 flex-1 justify-start! text-left whitespace-normal!"
          aria-expanded={open}
          onClick={() => setTurned(!open)}
        >
          <ChevronRight aria-hidden className={open ? 'rotate-90' : ''} />
          <Icon aria-hidden />
          <span className="shrink-0">{call.tool}</span>
          {!open && <code className="min-w-0 truncate font-normal">{subject.split('\n')[0]}</code>}
        </button>
        <span className="flex min-h-7 items-center gap-2">
          {outcome === 'running' ? (
            <span className="faint">
              <Elapsed since={call.began_at} />
            </span>
          ) : (
            call.duration_ms !== null && <span className="faint">{clock(call.duration_ms)}</span>
          )}
          <State of={outcome === 'running' ? 'working' : outcome} word={endWords(call, outcome)} />
        </span>
      </div>
      {open && (
        <div className="grid gap-2 border-t border-n6 p-2">
          {subject !== '' && (
            <pre className="block" tabIndex={0} role="group" aria-label={`What ${call.tool} runs`}>
              {subject}
            </pre>
          )}
          {edit !== null && <EditDiff {...edit} />}
          <ToolDiffs diffs={call.diffs} />
          {call.inner.length > 0 && <SubAgent calls={call.inner} />}
          {call.output !== null && call.output !== '' && <Output output={call.output} />}
        </div>
      )}
    </div>
  )
})

/** The calls that the agent made by itself; its last words are the output of the call. */
function SubAgent({ calls }: { readonly calls: readonly ToolCall[] }) {
  const failed = calls.filter((call) => outcomeOf(call) === 'failed').length
  return (
    <details>
      <summary className="hint">
        Sub-agent: {counted(calls.length, 'call')}
        {failed > 0 && `, ${failed} failed`}
      </summary>
      <div role="group" aria-label="Sub-agent" className="mt-2 grid gap-2 border-l border-n6 pl-2">
        {calls.map((call) => (
          <ToolRow key={call.call_id} call={call} />
        ))}
      </div>
    </details>
  )
}

function endWords({ exit_code }: ToolCall, outcome: string): string {
  if (outcome === 'failed' && exit_code !== null) return `failed, exit ${exit_code}`
  return outcome
}

function Output({ output }: { readonly output: string }) {
  const { text, cut } = tailOf(output)
  return (
    <pre className="block" tabIndex={0} role="group" aria-label="Output">
      {cut > 0 && `… ${cut} characters before\n`}
      {text}
    </pre>
  )
}
