import { type HeldHarnesses, machines, processes } from '@svc/db'
import type { Platform } from './open.ts'

/** Keeps the row of this machine, which says that sandboxes are made on it, and which. */
export function showMachine(
  { ctx, machine }: Pick<Platform, 'ctx' | 'machine'>,
  seen: {
    readonly provider: string
    readonly harnesses: readonly HeldHarnesses[]
    /** Its sandboxes are reached from other machines. */
    readonly door: boolean
  },
): { close(): void } {
  const see = () =>
    machines
      .see(ctx.db, { machine, ...seen, seen_at: ctx.now() })
      .catch((err: unknown) => ctx.log.warn({ err }, 'The machine could not say that it is there'))
  void see()
  const timer = setInterval(() => void see(), processes.beatMs)
  timer.unref()
  return { close: () => clearInterval(timer) }
}
