import type { TriggerFire } from '@svc/sdk'
import type { Output } from '../../output/output.ts'
import { oneLine } from '../../output/plain.ts'

/** With `ids`, each fire can be named to `svc triggers replay`. */
export function printFires(out: Output, fires: readonly TriggerFire[], { ids = false } = {}): void {
  out.table(
    [
      { header: 'SCHEDULED' },
      ...(ids ? [{ header: 'FIRE' }] : []),
      { header: 'BY', optional: true },
      { header: 'STATUS' },
      { header: 'SESSION' },
      { header: 'REASON', flexible: true },
    ],
    fires.map((fire) => [
      fire.scheduled_at,
      ...(ids ? [fire.fire_id] : []),
      fire.type,
      fire.status,
      fire.session_id?.slice(0, 8) ?? '',
      oneLine(fire.reason ?? ''),
    ]),
  )
}
