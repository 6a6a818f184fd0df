import { counted } from '@svc/facts'
import { appLines, appInstances, type AppInstanceRow } from '@svc/db'
import type { ProgramControl } from '@svc/sandbox'
import type { Running } from '../context.ts'

const batch = 1000

/** Brings what an instance printed since the last look into the log of its app; the number of its last line. */
export async function keepLines(
  ctx: Running,
  instance: AppInstanceRow,
  control: ProgramControl,
  signal: AbortSignal,
): Promise<number> {
  const lines = await control.lines({ after: instance.last_line, limit: batch, wait_ms: 0 }, signal)
  const last = lines.at(-1)
  if (last === undefined) return instance.last_line
  const { instance_id } = instance
  const dropped = last.number - instance.last_line - lines.length
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await appInstances.tookLines(tx, instance_id, instance.last_line, last.number))) return
    const note = { source: 'platform', stream: 'stderr', at: ctx.now(), instance_id } as const
    await appLines.add(tx, instance, [
      ...(dropped > 0 ? [{ ...note, line: `${counted(dropped, 'line')} came too fast, and went lost` }] : []),
      ...lines.map(({ at, stream, line }) => ({
        ...{ source: 'app' as const, stream, at: new Date(at), line: storable(line), instance_id },
      })),
    ])
  })
  return last.number
}

/** PostgreSQL stores no zero byte in a text. */
export const storable = (line: string) => line.replaceAll('\0', '�')

/** The last words of a release or an instance in its log. */
export async function logTail(
  ctx: Pick<Running, 'db'>,
  of: { readonly release_id: string; readonly instance_id?: string },
): Promise<string> {
  const lines = await appLines.last(ctx.db, of, 20)
  return lines
    .map(({ line }) => line)
    .join('\n')
    .slice(-4096)
}
