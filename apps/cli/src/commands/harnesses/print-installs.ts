import type { Harness } from '@svc/sdk'
import type { Output } from '../../output/output.ts'
import { oneLine } from '../../output/plain.ts'
import { sizeText } from './state-text.ts'

type Install = Harness['installs'][number]

export function printInstalls(out: Output, installs: readonly Install[]): void {
  out.table(
    [
      { header: 'VERSION' },
      { header: 'FOR', flexible: true },
      { header: 'STATE' },
      { header: 'SIZE', optional: true },
      { header: 'NOTE', flexible: true },
    ],
    installs.map((install) => [
      install.version,
      oneLine(install.target),
      install.state,
      progress(install),
      oneLine(install.error ?? ''),
    ]),
  )
}

function progress({ state, bytes, bytes_done }: Install): string {
  if (state !== 'installing') return sizeText(bytes ?? bytes_done)
  return bytes === null ? sizeText(bytes_done) : `${sizeText(bytes_done)} of ${sizeText(bytes)}`
}
