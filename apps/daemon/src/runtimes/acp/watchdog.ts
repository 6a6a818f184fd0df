import { readdir, readFile } from 'node:fs/promises'
import { parseProcessStat } from '@svc/files'

/** The signs that an agent lives, beside the lines that it writes. */
export interface LifeSigns {
  readonly asks: number
  readonly terminals: number
}

const lookMs = 5_000
/** A second of processor time is a sign of life. */
const busyTicks = 100

/**
 * Watches a turn for a sign of life, where others set a time for the whole turn. `onSilent` at half of the time, `onDead` at
 * the whole.
 */
export function createWatchdog(parts: {
  /** 0 watches nothing. */
  readonly silence_ms: number
  readonly pid: number | undefined
  readonly signs: () => LifeSigns
  readonly onSilent: (since: Date) => void
  readonly onDead: () => void
}) {
  const { silence_ms, pid } = parts
  let last = Date.now()
  let ticks = 0
  let isSilent = false
  let timer: NodeJS.Timeout | null = null

  function sign(): void {
    last = Date.now()
    isSilent = false
  }

  async function look(): Promise<void> {
    const { asks, terminals } = parts.signs()
    if (asks > 0 || terminals > 0) return sign()
    const used = pid === undefined ? 0 : await ticksOf(pid)
    if (used - ticks >= busyTicks) {
      ticks = used
      return sign()
    }
    const quiet = Date.now() - last
    if (quiet >= silence_ms) {
      stop()
      parts.onDead()
    } else if (quiet >= silence_ms / 2 && !isSilent) {
      isSilent = true
      parts.onSilent(new Date(last))
    }
  }

  function stop(): void {
    if (timer !== null) clearInterval(timer)
    timer = null
  }

  return {
    sign,
    begin: (): void => {
      sign()
      if (silence_ms === 0 || timer !== null) return
      timer = setInterval(() => void look().catch(() => undefined), Math.min(lookMs, silence_ms / 4))
      timer.unref()
    },
    stop,
  }
}

/** Processor time of a process group, in ticks of the kernel; 0 where there is no /proc. */
async function ticksOf(group: number): Promise<number> {
  const names = await readdir('/proc').catch(() => [])
  const all = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const text = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '')
        const found = parseProcessStat(text)
        return found?.group === group ? found.used_ticks : 0
      }),
  )
  return all.reduce((sum, ticks) => sum + ticks, 0)
}
