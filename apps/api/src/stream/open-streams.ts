/** The event streams that are open now, so that a closing server can end them. */
export class OpenStreams {
  readonly #ends = new Set<() => void>()
  #closed = false
  readonly #onChange: (by: 1 | -1) => void

  constructor(onChange: (by: 1 | -1) => void = () => undefined) {
    this.#onChange = onChange
  }

  /** Returns the function that takes the stream off the list. */
  add(end: () => void): () => void {
    if (this.#closed) end()
    this.#ends.add(end)
    this.#onChange(1)
    return () => {
      if (this.#ends.delete(end)) this.#onChange(-1)
    }
  }

  get size(): number {
    return this.#ends.size
  }

  close(): void {
    this.#closed = true
    for (const end of this.#ends) end()
  }
}
