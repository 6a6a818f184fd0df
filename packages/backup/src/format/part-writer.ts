import { createHash } from 'node:crypto'
import type { ObjectStore } from '@svc/objects'
import type { Part } from './manifest.ts'

/** Writes the parts of one backup, and remembers what each holds. */
export class PartWriter {
  readonly parts: Part[] = []
  readonly #store: ObjectStore
  readonly #name: string

  constructor(store: ObjectStore, name: string) {
    this.#store = store
    this.#name = name
  }

  async write(path: string, content: AsyncIterable<Uint8Array> | Uint8Array): Promise<void> {
    const hash = createHash('sha256')
    let bytes = 0
    async function* hashed(): AsyncIterable<Uint8Array> {
      for await (const chunk of content instanceof Uint8Array ? [content] : content) {
        hash.update(chunk)
        bytes += chunk.byteLength
        yield chunk
      }
    }
    await this.#store.put(`${this.#name}/${path}`, hashed())
    this.parts.push({ path, bytes, sha256: hash.digest('hex') })
  }

  /** Takes a part of an earlier backup of the same place, without its bytes moving; false when it is not there any more. */
  async take(from: string, part: Part): Promise<boolean> {
    const linked = await this.#store.copy(`${from}/${part.path}`, `${this.#name}/${part.path}`)
    if (linked) this.parts.push(part)
    return linked
  }

  get bytes(): number {
    return this.parts.reduce((sum, part) => sum + part.bytes, 0)
  }
}
