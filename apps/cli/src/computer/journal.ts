import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type ComputerResult, keptResult } from '@svc/connector'
import { lockFile, replaceFile } from '@svc/files'

interface Entry {
  readonly call_id: string
  readonly at: number
  /** null while it runs, and for good where the computer went down meanwhile. */
  readonly result: ComputerResult | null
}

/** The calls that ran here, by their id, so that none runs twice. */
export interface Journal {
  readonly find: (call_id: string) => Entry | undefined
  /** On disk when it resolves: only then may the call run. */
  readonly begin: (call_id: string) => Promise<void>
  readonly end: (call_id: string, result: ComputerResult) => Promise<void>
  readonly close: () => Promise<void>
}

const keptMs = 7 * 24 * 3_600_000
const maxBytes = 64 * 1024 * 1024

/** Opens the journal at `path`, a line of JSON for each step, and leaves out what is older than a week. Throws where another process has it open. */
export async function openJournal(path: string, now: () => number = Date.now): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const lock = await lockFile(`${path}.lock`, {
    timeoutMs: 0,
    refusal: (pid) =>
      new Error(
        `This computer is served already${pid === null ? '' : ` by process ${pid}`}; stop that first`,
      ),
  })
  const entries = await kept(path, now())
  const lines = [...entries.values()].map((entry) => `${JSON.stringify(entry)}\n`)
  await replaceFile(path, lines.join(''))
  const file = await open(path, 'a', 0o600)
  let last: Promise<void> = Promise.resolve()

  function write(entry: Entry): Promise<void> {
    entries.set(entry.call_id, entry)
    const written = last.then(async () => {
      await file.appendFile(`${JSON.stringify(entry)}\n`)
      await file.datasync()
    })
    last = written.catch(() => {})
    return written
  }

  return {
    find: (call_id) => entries.get(call_id),
    begin: (call_id) => write({ call_id, at: now(), result: null }),
    end: (call_id, result) => write({ call_id, at: now(), result }),
    close: async () => {
      await last
      await file.close()
      await lock.release()
    },
  }
}

/** The newest entries that fit; a line that was cut by a crash is left out. */
async function kept(path: string, now: number): Promise<Map<string, Entry>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const all = new Map<string, Entry>()
  for (const line of text.split('\n')) {
    const entry = entryIn(line)
    if (entry === null || now - entry.at > keptMs) continue
    all.delete(entry.call_id)
    all.set(entry.call_id, entry)
  }
  let size = 0
  const newest = [...all].reverse().filter(([, entry]) => (size += JSON.stringify(entry).length) <= maxBytes)
  return new Map(newest.reverse())
}

function entryIn(line: string): Entry | null {
  try {
    const { call_id, at, result }: { call_id?: unknown; at?: unknown; result?: unknown } = JSON.parse(line)
    if (typeof call_id !== 'string' || typeof at !== 'number') return null
    return { call_id, at, result: keptResult(result) }
  } catch {
    return null
  }
}
