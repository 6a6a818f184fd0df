import type { TriggerFireAnswer } from '@svc/sdk'
import type { Output } from '../../output/output.ts'

export function printFired(out: Output, slug: string, answer: TriggerFireAnswer): void {
  if (answer.status === 'fired') {
    out.line(`Fired ${slug}  session ${answer.session_id}`)
    out.note(`svc sessions chat ${answer.session_id.slice(0, 8)}`)
    return
  }
  out.line(`${answer.status === 'queued' ? 'Queued' : 'Skipped'} ${slug} (${answer.reason})`)
}
