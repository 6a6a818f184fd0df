import type { TriggerFire } from '@svc/sdk'
import type { Output } from '../../output/output.ts'
import { oneLine } from '../../output/plain.ts'

export function printFires(out: Output, fires: readonly TriggerFire[]): void {
  out.table(
    [
      { header: 'SCHEDULED' },
      { header: 'BY' },
      { header: 'STATUS' },
      { header: 'SESSION' },
      { header: 'REASON', flexible: true },
    ],
    fires.map((fire) => [
      fire.scheduled_at,
      fire.type,
      fire.status,
      fire.session_id?.slice(0, 8) ?? '',
      oneLine(fire.reason ?? ''),
    ]),
  )
}
