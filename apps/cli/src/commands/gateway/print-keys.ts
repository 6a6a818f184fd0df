import { counted } from '@svc/facts'
import type { GatewayKey } from '@svc/sdk'
import type { Cli } from '../../cli.ts'
import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'

export function printKeys({ out }: Cli, keys: readonly GatewayKey[]): void {
  if (keys.length === 0) return out.note('None yet.')
  out.table(
    [
      { header: 'NAME', flexible: true },
      { header: 'BEGINS WITH' },
      { header: 'LIMITS', flexible: true, optional: true },
      { header: 'EXPIRES', optional: true },
      { header: 'USED', optional: true },
      { header: 'ID' },
    ],
    keys.map(({ token_id, name, prefix, limits, expires_at, last_used_at }) => [
      oneLine(name),
      prefix,
      limitsText(limits),
      expires_at ?? 'never',
      last_used_at === null ? 'never' : ago(last_used_at, Date.now()),
      token_id,
    ]),
  )
}

function limitsText({ requests_per_minute, tokens_per_minute, concurrency, models }: GatewayKey['limits']) {
  const all = [
    requests_per_minute === null ? [] : [`${counted(requests_per_minute, 'call')}/min`],
    tokens_per_minute === null ? [] : [`${counted(tokens_per_minute, 'token')}/min`],
    concurrency === null ? [] : [`${concurrency} at a time`],
    models === null ? [] : [oneLine(models.join(','))],
  ].flat()
  return all.length === 0 ? 'none' : all.join(' · ')
}
