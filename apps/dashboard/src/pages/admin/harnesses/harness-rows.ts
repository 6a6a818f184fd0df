import type { Harness } from '@svc/sdk'

type Install = Harness['installs'][number]

/** One version of a harness, with its installs; null where a sandbox or an image brings the program. */
export interface HarnessRow {
  readonly harness: Harness
  readonly version: string | null
  readonly installs: readonly Install[]
}

/** A row for the version that new sessions get, and for each other one that is installed. */
export function harnessRows(harnesses: readonly Harness[]): readonly HarnessRow[] {
  return harnesses.flatMap((harness) => {
    const versions = new Set([harness.version, ...harness.installs.map(({ version }) => version)])
    return [...versions].map((version) => ({
      ...{ harness, version },
      installs: harness.installs.filter((install) => install.version === version),
    }))
  })
}

const going: ReadonlySet<string> = new Set(['wanted', 'installing'])

/** True while a worker installs it, or will. */
export const isUnderWay = ({ installs }: HarnessRow): boolean =>
  installs.some(({ state }) => going.has(state))

/** True where an install of the version can be asked for, or asked for again. */
export const canInstall = ({ harness, version, installs }: HarnessRow): boolean =>
  harness.package !== null &&
  version !== null &&
  (installs.length === 0 || installs.some(({ state }) => state === 'failed'))

/** True where there is something to remove: the machine of installs lets none go while it is written. */
export const canRemove = ({ installs }: HarnessRow): boolean =>
  installs.some(({ state }) => state === 'ready' || state === 'failed' || state === 'wanted')

/** The state of a licence: nothing to accept, accepted, or not yet. */
export function licenceState({ licences, proprietary }: Harness): 'free' | 'accepted' | 'required' {
  if (!proprietary) return 'free'
  return licences.every(({ accepted }) => accepted) ? 'accepted' : 'required'
}

const megabyte = 1_000_000

export const megabytes = (bytes: number): string => `${Math.round(bytes / megabyte)} MB`

/** The size of an install: what is there, what came so far, or about what it will be. */
export function sizeOf({ harness, installs }: HarnessRow): string {
  const largest = Math.max(0, ...installs.map(({ bytes }) => bytes ?? 0))
  if (largest > 0) return megabytes(largest)
  return harness.bytes === 0 ? '–' : `about ${megabytes(harness.bytes)}`
}

/** The parts of an install's error: the reason, and what npm printed. */
export function reasonOf(error: string): { readonly reason: string; readonly output: string } {
  const [reason = '', ...output] = error.split('; npm said: ')
  return { reason, output: output.join('; npm said: ') }
}
