import { machines, processes } from '@svc/db'
import type { Platform } from './open.ts'

/** Keeps the row of this machine, which says that sandboxes are made on it, and by which provider. */
export function showMachine(
  { ctx, machine }: Pick<Platform, 'ctx' | 'machine'>,
  provider: string,
): { close(): void } {
  const see = () =>
    machines
      .see(ctx.db, { machine, provider, seen_at: ctx.now() })
      .catch((err: unknown) => ctx.log.warn({ err }, 'The machine could not say that it is there'))
  void see()
  const timer = setInterval(() => void see(), processes.beatMs)
  timer.unref()
  return { close: () => clearInterval(timer) }
}
