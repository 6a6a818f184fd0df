/** The event streams that are open now, so that a closing server can end them. */
export class OpenStreams {
  readonly #ends = new Set<() => void>()
  #closed = false

  /** Returns the function that takes the stream off the list. */
  add(end: () => void): () => void {
    if (this.#closed) end()
    this.#ends.add(end)
    return () => this.#ends.delete(end)
  }

  get size(): number {
    return this.#ends.size
  }

  close(): void {
    this.#closed = true
    for (const end of this.#ends) end()
  }
}
