import type { Session, SessionRuntime } from '@svc/sdk'
import { useNavigate } from '@tanstack/react-router'
import type { SessionLog } from '../../../conversation/session-log.ts'
import { dollars } from '../../../money/money.ts'
import { Tabs } from '../../../parts/tabs.tsx'
import { contextTabs, sessionRoute } from '../route.tsx'
import { ContextMeter } from '../runtime/context-meter.tsx'
import { RuntimeOptions } from '../runtime/runtime-options.tsx'
import { Changes } from './changes.tsx'
import { Facts } from './facts.tsx'
import { Preview } from './preview.tsx'
import { Todos } from './todos.tsx'

interface Props {
  readonly session: Session
  readonly log: SessionLog
  /** Undefined until it was read. */
  readonly runtime: SessionRuntime | undefined
}

const labels = { changes: 'Changes', files: 'Files', checkpoints: 'Checkpoints', preview: 'Preview' } as const

/** Beside the conversation: what it has changed, what is saved, what it shows, and what it cost. */
export function SessionContext({ session, log, runtime }: Props) {
  const { tab = 'changes' } = sessionRoute.useSearch()
  const navigate = useNavigate({ from: sessionRoute.fullPath })
  const tabs = contextTabs.map((key) => ({ key, label: labels[key] }))
  return (
    <div className="grid gap-4">
      <Tabs
        label="Of the session"
        tabs={tabs}
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next }, replace: true, resetScroll: false })}
      >
        {tab === 'changes' && <Changes session={session} />}
        {tab === 'files' && <Touched paths={log.files} />}
        {tab === 'checkpoints' && <Checkpoints log={log} />}
        {tab === 'preview' && <Preview session={session} />}
      </Tabs>
      <Todos todos={log.todos} />
      <ContextMeter context={log.context} />
      {log.tokens > 0 && (
        <p className="faint">
          {new Intl.NumberFormat(undefined, { notation: 'compact' }).format(log.tokens)} tokens ·{' '}
          {dollars(log.cost_usd * 1_000_000)}
        </p>
      )}
      {runtime !== undefined && <RuntimeOptions session={session} runtime={runtime} />}
      <Facts session={session} runtime={runtime} />
    </div>
  )
}

function Touched({ paths }: { readonly paths: readonly string[] }) {
  if (paths.length === 0) return <p className="hint">No file was touched yet.</p>
  return (
    <ul className="grid gap-1 font-mono text-12">
      {paths.map((path) => (
        <li key={path}>{path}</li>
      ))}
    </ul>
  )
}

function Checkpoints({ log: { checkpoints } }: { readonly log: SessionLog }) {
  if (checkpoints.length === 0)
    return <p className="hint">Nothing was saved yet. Work in progress is saved when the sandbox stops.</p>
  return (
    <ul className="grid gap-1 text-13">
      {checkpoints.map(({ number, at, reason }) => (
        <li key={number}>
          Checkpoint {number} {reason !== null && <span className="faint">{reason}</span>}{' '}
          <time className="faint">{new Date(at).toLocaleTimeString()}</time>
        </li>
      ))}
    </ul>
  )
}
