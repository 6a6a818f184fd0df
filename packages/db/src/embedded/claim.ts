import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startOf } from './processes.ts'

/**
 * Notes that this process owns the data directory, and refuses when another living one does: taking over a
 * leftover server is right after a crash and wrong beside a running platform. Returns the release.
 */
export function claim(data_dir: string, me = process.pid): () => void {
  const file = join(data_dir, 'owner')
  const mine = `${me} ${startOf(me) ?? ''}`
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, mine, { mode: 0o600 })
  try {
    while (!link(draft, file)) removeStale(data_dir, file)
  } finally {
    rmSync(draft, { force: true })
  }
  return () => {
    if (read(file) === mine) rmSync(file, { force: true })
  }
}

function removeStale(data_dir: string, file: string): void {
  const found = read(file)
  if (found === undefined) return
  const [pid = '', start = ''] = found.split(/ (.*)/s)
  if (startOf(Number(pid)) === start)
    throw new Error(`The data directory ${data_dir} is in use by the running process ${pid}`)
  const aside = `${file}.${randomUUID()}`
  try {
    renameSync(file, aside)
  } catch {
    return
  }
  // Another process may have been quicker, and what was moved aside is its fresh claim.
  if (read(aside) !== found) link(aside, file)
  rmSync(aside, { force: true })
}

/** False when the file is there already. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
