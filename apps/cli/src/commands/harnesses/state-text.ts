import type { Harness } from '@svc/sdk'
import { oneLine } from '../../output/plain.ts'

/** The state of a harness for a session that would start now. */
export function stateText({ available, reason, message, installs, package: npm }: Harness): string {
  if (!available) return oneLine(message ?? reason ?? 'not available')
  if (message !== null) return oneLine(message)
  if (npm === null || installs.some(({ state }) => state === 'ready')) return 'ready'
  return installs.some(({ state }) => state === 'installing' || state === 'wanted')
    ? 'installing'
    : 'installed at the first start'
}

/** About the size of its files. */
export function sizeText(bytes: number): string {
  return bytes === 0 ? '' : `${Math.max(1, Math.round(bytes / 1_000_000))} MB`
}
