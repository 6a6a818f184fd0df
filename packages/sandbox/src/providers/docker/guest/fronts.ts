import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Address } from './fetch-boot.ts'
import { holdReady } from './hold-ready.ts'

/** Visitors that may arrive at one proxy at once without waiting for a new connection to be made. */
const readyConnections = 16
const lookMs = 1_000
const retryMs = 100

/** Holds connections ready at each socket in the folder, as long as it is there. A visitor's first byte takes one. */
export function openFronts(folder: string, program: Address): void {
  const known = new Set<string>()
  /** A socket that is gone takes its connections along; its name is never used again. */
  const isThere = (name: string): boolean => {
    const there = names(folder).includes(name)
    if (!there) known.delete(name)
    return there
  }
  const look = (): void => {
    for (const name of names(folder)) {
      if (known.has(name)) continue
      known.add(name)
      const ready = { path: join(folder, name), target: program, retryMs, wanted: () => isThere(name) }
      for (let count = 0; count < readyConnections; count += 1) holdReady(ready)
    }
  }
  look()
  // Where the folder cannot be watched, it is looked at.
  try {
    watch(folder, look)
      .on('error', () => undefined)
      .unref()
  } catch {
    // See above.
  }
  setInterval(look, lookMs).unref()
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
