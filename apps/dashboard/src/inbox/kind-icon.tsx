import type { InboxItem } from '@svc/sdk'
import {
  Cable,
  ClipboardCheck,
  Plug,
  Unplug,
  CircleQuestionMark,
  CircleX,
  FileWarning,
  GitPullRequestArrow,
  Inbox,
  KeyRound,
  type LucideIcon,
  ShieldQuestionMark,
  Wallet,
  Webhook,
} from 'lucide-react'

const icons: Readonly<Partial<Record<InboxItem['kind'], readonly [LucideIcon, string]>>> = {
  question: [CircleQuestionMark, 'tone-warn'],
  permission: [ShieldQuestionMark, 'tone-warn'],
  change_request: [GitPullRequestArrow, 'tone-ok'],
  session_failed: [CircleX, 'tone-bad'],
  trigger_failure: [CircleX, 'tone-bad'],
  manifest_invalid: [FileWarning, 'tone-bad'],
  secret_missing: [KeyRound, 'tone-warn'],
  budget_block: [Wallet, 'tone-bad'],
  review: [ClipboardCheck, 'tone-warn'],
  approval: [Plug, 'tone-warn'],
  unknown_call: [Unplug, 'tone-bad'],
  connection: [Cable, 'tone-warn'],
  notice: [Webhook, 'tone-bad'],
}

/** The icon of a kind of thing that waits; its words stand beside it. */
export function KindIcon({ kind }: { readonly kind: InboxItem['kind'] }) {
  const [Icon, tone] = icons[kind] ?? [Inbox, 'tone-plain']
  return <Icon aria-hidden className={`glyph ${tone}`} />
}
