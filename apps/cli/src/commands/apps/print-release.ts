import type { AppRelease, ProjectApp } from '@svc/sdk'
import { oneLine } from '../../output/plain.ts'
import type { Output } from '../../output/output.ts'

export const shortSha = (sha: string) => sha.slice(0, 12)

/** The spending of an app in this month. */
export function spentText({
  spent_micros,
  cap_micros,
  resets_at,
}: NonNullable<ProjectApp['budget']>): string {
  const usd = (micros: number) => `$${(micros / 1_000_000).toFixed(2)}`
  return `${usd(spent_micros)} of ${usd(cap_micros)}, until ${resets_at.slice(0, 10)}`
}

/** The state of an app, as people say it. */
export function stateText({ state, current_release, latest_release }: ProjectApp): string {
  if (state === 'over_budget') return 'over its budget'
  if (state !== 'serving' || current_release === null) return state
  const { number, status } = latest_release ?? current_release
  if (number === current_release.number || status === 'ready') return 'serving'
  return `serving; release ${number} ${status}`
}

export function printReleases(out: Output, releases: readonly AppRelease[]): void {
  out.table(
    [
      { header: 'RELEASE' },
      { header: 'STATUS' },
      { header: 'COMMIT' },
      { header: 'FOR', optional: true },
      { header: 'FILES', optional: true },
      { header: 'NOTE', flexible: true },
    ],
    releases.map((release) => [
      String(release.number),
      release.current ? `${release.status}, shown` : release.status,
      shortSha(release.commit_sha),
      release.channel,
      release.artifact === null ? '' : String(release.artifact.files),
      noteOf(release),
    ]),
  )
}

function noteOf({ failure, superseded_by }: AppRelease): string {
  if (failure !== null) return oneLine(failure.message)
  return superseded_by === null ? '' : `${superseded_by} was ready first`
}
