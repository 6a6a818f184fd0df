import type { LineSource, LineStream } from '@svc/app'
import { appLines, type AppReleaseRow } from '@svc/db'
import type { Working } from '../context.ts'
import { storable } from '../instances/keep-lines.ts'

export interface ReleaseLog {
  say(line: string, stream?: LineStream): Promise<void>
  /** A line of what makes its image. */
  built(line: string): Promise<void>
}

const longest = 8192

/** The platform's own words in the log of a release. */
export function logOf(ctx: Pick<Working, 'db' | 'now'>, release: AppReleaseRow): ReleaseLog {
  const add = (source: LineSource, text: string, stream: LineStream) => {
    const line = text.length > longest ? `${text.slice(0, longest)} …` : text
    return appLines.add(ctx.db, release, [{ source, stream, at: ctx.now(), line: storable(line) }])
  }
  return {
    say: (text, stream = 'stdout') => add('platform', text, stream),
    built: (text) => add('build', text, 'stdout'),
  }
}
