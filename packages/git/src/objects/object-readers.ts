import type { Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import type { Runner } from '../runner/runner.ts'
import { ObjectReader } from './object-reader.ts'

export interface ObjectReadersOptions {
  readonly runner: Runner
  /** Processes at a time; whichever was used the longest ago makes room. */
  readonly max?: number
  readonly idle_ms?: number
}

interface Entry {
  readonly reader: ObjectReader
  /** Open for as long as the reader lives, so that no later folder can look like this one. */
  readonly folder: FileHandle
  readonly identity: string
  readonly idle: NodeJS.Timeout
}

/**
 * One reader for each repository that is in use. A reader goes on to see what it has opened, so it never outlives the
 * folder that it was started on: each use compares the folder at the path with that one.
 */
export class ObjectReaders {
  readonly #options: Required<ObjectReadersOptions>
  readonly #entries = new Map<string, Entry>()
  readonly #opening = new Map<string, Promise<Entry | null>>()

  constructor(options: ObjectReadersOptions) {
    this.#options = { max: 16, idle_ms: 30_000, ...options }
  }

  get size(): number {
    return this.#entries.size
  }

  /** Null when the repository is not there. */
  async of(git_dir: string): Promise<ObjectReader | null> {
    await this.#opening.get(git_dir)
    const known = this.#entries.get(git_dir)
    const found = await stat(git_dir).catch(() => null)
    if (known && !known.reader.ended && found !== null && identityOf(found) === known.identity)
      return this.#use(git_dir, known)
    if (known) this.#drop(git_dir, known)
    if (found === null) return null
    const opening = this.#opening.get(git_dir) ?? this.#open(git_dir)
    this.#opening.set(git_dir, opening)
    const entry = await opening.finally(() => this.#opening.delete(git_dir))
    return entry === null ? null : this.#use(git_dir, entry)
  }

  async #open(git_dir: string): Promise<Entry | null> {
    const folder = await open(git_dir, 'r').catch(() => null)
    if (folder === null) return null
    try {
      const identity = identityOf(await folder.stat())
      const process = this.#options.runner.spawn(['cat-file', '--batch-command', '-z'], { git_dir })
      const reader = new ObjectReader(process, () => this.#drop(git_dir, entry))
      const idle = setTimeout(() => this.#rest(git_dir), this.#options.idle_ms).unref()
      const entry: Entry = { reader, folder, identity, idle }
      this.#entries.set(git_dir, entry)
      this.#makeRoom()
      return entry
    } catch (error) {
      await folder.close()
      throw error
    }
  }

  #use(git_dir: string, entry: Entry): ObjectReader {
    if (entry.reader.ended) return entry.reader
    entry.idle.refresh()
    this.#entries.delete(git_dir)
    this.#entries.set(git_dir, entry)
    return entry.reader
  }

  #rest(git_dir: string): void {
    const entry = this.#entries.get(git_dir)
    if (!entry) return
    if (entry.reader.idle) this.#drop(git_dir, entry)
    else entry.idle.refresh()
  }

  #makeRoom(): void {
    for (const [git_dir, entry] of this.#entries) {
      if (this.#entries.size <= this.#options.max) return
      if (entry.reader.idle) this.#drop(git_dir, entry)
    }
  }

  #drop(git_dir: string, entry: Entry): void {
    if (this.#entries.get(git_dir) === entry) this.#entries.delete(git_dir)
    clearTimeout(entry.idle)
    entry.reader.close()
    void entry.folder.close().catch(() => {})
  }
}

const identityOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`
