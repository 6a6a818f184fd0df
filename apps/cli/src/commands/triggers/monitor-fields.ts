import { counted } from '@svc/facts'
import type { Trigger } from '@svc/sdk'
import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'

/** The state of a monitor, as fields; none for other triggers. */
export function monitorFields({
  mode,
  expect_event_within,
  monitor,
}: Trigger): (readonly [string, string])[] {
  if (!monitor) return []
  const { state, last_line_at, last_exit, suppressed_lines, suppressed_until, error } = monitor
  const until = suppressed_until === null ? '' : `, until ${suppressed_until}`
  return [
    ['mode', mode ?? ''],
    ['state', state],
    ['expects', expect_event_within ?? ''],
    ['last line', last_line_at === null ? 'never' : ago(last_line_at, Date.now())],
    ['last exit', oneLine(last_exit ?? '')],
    ['suppressed', `${counted(suppressed_lines, 'line')}${until}`],
    ['error', oneLine(error ?? '')],
  ]
}
