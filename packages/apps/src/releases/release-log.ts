import type { LineStream } from '@svc/app'
import { appReleases, type AppReleaseRow } from '@svc/db'
import type { Working } from '../context.ts'

export interface ReleaseLog {
  say(line: string, stream?: LineStream): Promise<void>
}

const longest = 8192

/** The platform's own words in the log of a release. */
export function logOf(ctx: Pick<Working, 'db' | 'now'>, release: AppReleaseRow): ReleaseLog {
  return {
    say: (text, stream = 'stdout') => {
      const line = text.length > longest ? `${text.slice(0, longest)} …` : text
      return appReleases.addLines(ctx.db, release, [{ source: 'platform', stream, at: ctx.now(), line }])
    },
  }
}
