import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it. Node's own recursive way never returns where one of them was removed while it is mounted or
 * worked in: it is there, and takes nothing new.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process made it meanwhile.
    if (!existsSync(path)) throw error
  }
}
