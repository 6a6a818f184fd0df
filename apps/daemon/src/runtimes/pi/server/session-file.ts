import { randomUUID } from 'node:crypto'
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CURRENT_SESSION_VERSION, SessionManager } from '@earendil-works/pi-coding-agent'
import { makeFolder } from '../../../shared/make-folder.ts'

const idShape = /^ses_[a-z0-9-]{1,64}$/

/** A fresh conversation whose every entry is on disk at once: pi itself would lose a first prompt that it dies in. */
export function createSessionFile(folder: string, workspace: string, parent?: string): SessionManager {
  makeFolder(folder, 0o700)
  const id = `ses_${randomUUID()}`
  const header = {
    type: 'session',
    version: CURRENT_SESSION_VERSION,
    id,
    timestamp: new Date().toISOString(),
    cwd: workspace,
    ...(parent === undefined ? {} : { parentSession: parent }),
  }
  const path = join(folder, `${id}.jsonl`)
  writeFileSync(path, `${JSON.stringify(header)}\n`, { mode: 0o600 })
  return durable(SessionManager.open(path, folder, workspace), path)
}

/** Null when there is no such conversation. */
export function openSessionFile(folder: string, workspace: string, id: string): SessionManager | null {
  if (!idShape.test(id)) return null
  const name = `${id}.jsonl`
  try {
    if (!readdirSync(folder).includes(name)) return null
  } catch {
    return null
  }
  const path = join(folder, name)
  return durable(SessionManager.open(path, folder, workspace), path)
}

function durable(manager: SessionManager, path: string): SessionManager {
  // A line of its own also behind one that a crash cut short: pi passes over lines that are empty or none.
  manager._persist = (entry) => appendFileSync(path, `\n${JSON.stringify(entry)}\n`)
  return manager
}
