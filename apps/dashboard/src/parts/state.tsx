import {
  Archive,
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CircleX,
  Clock,
  GitMerge,
  GitPullRequestArrow,
  GitPullRequestClosed,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react'

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'plain'

interface Look {
  readonly tone: Tone
  readonly icon: LucideIcon | 'dot'
  readonly word?: string
}

const looks: Readonly<Record<string, Look>> = {
  waiting: { tone: 'warn', icon: TriangleAlert },
  working: { tone: 'info', icon: 'dot' },
  starting: { tone: 'info', icon: CircleDashed },
  queued: { tone: 'plain', icon: Clock },
  branching: { tone: 'info', icon: CircleDashed, word: 'starting' },
  provisioning: { tone: 'info', icon: CircleDashed, word: 'starting' },
  running: { tone: 'ok', icon: CircleDot },
  idle: { tone: 'ok', icon: CircleDot },
  stopped: { tone: 'plain', icon: CirclePause },
  completed: { tone: 'ok', icon: CircleCheck },
  failed: { tone: 'bad', icon: CircleX },
  error: { tone: 'bad', icon: CircleX, word: 'failed' },
  needs_you: { tone: 'warn', icon: TriangleAlert, word: 'needs you' },
  needs_connection: { tone: 'warn', icon: TriangleAlert, word: 'not connected' },
  syncing: { tone: 'info', icon: CircleDashed, word: 'being read' },
  changes_requested: { tone: 'info', icon: CircleDashed, word: 'changes requested' },
  approved: { tone: 'ok', icon: CircleCheck },
  rejected: { tone: 'bad', icon: CircleX },
  dismissed: { tone: 'plain', icon: Ban },
  withdrawn: { tone: 'plain', icon: Ban },
  open: { tone: 'ok', icon: GitPullRequestArrow },
  conflict: { tone: 'warn', icon: TriangleAlert },
  merged: { tone: 'info', icon: GitMerge },
  closed: { tone: 'bad', icon: GitPullRequestClosed },
  fired: { tone: 'ok', icon: CircleCheck },
  accepted: { tone: 'ok', icon: CircleCheck },
  success: { tone: 'ok', icon: CircleCheck },
  allowed: { tone: 'ok', icon: CircleCheck },
  verified: { tone: 'ok', icon: CircleCheck, word: 'proved' },
  admitted: { tone: 'info', icon: CircleDashed, word: 'waits' },
  streaming: { tone: 'info', icon: 'dot' },
  settled: { tone: 'ok', icon: CircleCheck, word: 'done' },
  cut: { tone: 'warn', icon: CircleAlert },
  lost: { tone: 'warn', icon: CircleAlert },
  missing: { tone: 'warn', icon: TriangleAlert },
  set: { tone: 'ok', icon: CircleCheck },
  pending: { tone: 'plain', icon: Clock },
  deduped: { tone: 'plain', icon: CircleDashed },
  skipped: { tone: 'plain', icon: CircleDashed },
  missed: { tone: 'warn', icon: CircleAlert },
  refused: { tone: 'bad', icon: Ban },
  denied: { tone: 'bad', icon: Ban },
  archived: { tone: 'plain', icon: Archive },
  enabled: { tone: 'ok', icon: CircleCheck },
  disabled: { tone: 'warn', icon: CirclePause },
  sending: { tone: 'info', icon: 'dot' },
  delivered: { tone: 'ok', icon: CircleCheck },
  exhausted: { tone: 'bad', icon: CircleX, word: 'given up' },
  cancelled: { tone: 'plain', icon: Ban },
  wanted: { tone: 'plain', icon: Clock },
  installing: { tone: 'info', icon: 'dot' },
  required: { tone: 'warn', icon: TriangleAlert },
  serving: { tone: 'ok', icon: CircleCheck },
  ready: { tone: 'ok', icon: CircleCheck },
  connected: { tone: 'ok', icon: CircleCheck },
  degraded: { tone: 'warn', icon: TriangleAlert, word: 'failing' },
  disconnected: { tone: 'bad', icon: CircleX },
  held: { tone: 'warn', icon: Clock, word: 'waits for a link' },
  asked: { tone: 'warn', icon: Clock, word: 'owner is asked' },
  ignored: { tone: 'plain', icon: CircleDashed },
  sent: { tone: 'ok', icon: CircleCheck },
  unreleased: { tone: 'plain', icon: CircleDashed, word: 'no release yet' },
  undeclared: { tone: 'plain', icon: Archive },
}

const unknown: Look = { tone: 'plain', icon: CircleDot }

/** A state: its word, its icon and its colour, always the three together. */
export function State({ of, word }: { readonly of: string; readonly word?: string }) {
  const look = looks[of] ?? unknown
  const Icon = look.icon
  return (
    <span className={`state tone-${look.tone}`}>
      {Icon === 'dot' ? <span className="dot moving" aria-hidden /> : <Icon aria-hidden />}
      {word ?? look.word ?? of}
    </span>
  )
}
