import type { ProjectApp } from '@svc/sdk'

type Mode = ProjectApp['access_mode']

/** The visitors of each mode, as people say it. */
export const modeWords: Readonly<Record<Mode, string>> = {
  private: 'Only people who may change it',
  project: 'The people of the project',
  restricted: 'Listed people and groups',
  public: 'All visitors',
  password: 'Visitors with the password',
}

export const shortSha = (sha: string) => sha.slice(0, 8)

/** True while a release is worked on, and the page is read again. */
export function isMoving({ latest_release }: ProjectApp): boolean {
  return latest_release !== null && !['ready', 'failed', 'cancelled'].includes(latest_release.status)
}

/** Money, to the cent. */
export const dollars = (micros: number) => `$${(micros / 1_000_000).toFixed(2)}`
