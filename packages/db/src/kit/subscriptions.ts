/** null: messages may have been missed. */
export type Handler<Message> = (message: Message | null) => void

/** The handlers of one channel, by the row that they wait for: a message costs what its own readers cost. */
export class Subscriptions<Message> {
  readonly #ofAll = new Set<Handler<Message>>()
  readonly #ofOne = new Map<string, Set<Handler<Message>>>()

  /** Without an id, of every message. Returns what ends it. */
  add(handler: Handler<Message>, id?: string): () => void {
    if (id === undefined) {
      this.#ofAll.add(handler)
      return () => this.#ofAll.delete(handler)
    }
    const mine = this.#ofOne.get(id) ?? new Set()
    this.#ofOne.set(id, mine.add(handler))
    return () => {
      mine.delete(handler)
      if (mine.size === 0 && this.#ofOne.get(id) === mine) this.#ofOne.delete(id)
    }
  }

  get isEmpty(): boolean {
    return this.#ofAll.size === 0 && this.#ofOne.size === 0
  }

  deliver(id: string, message: Message): void {
    for (const handler of [...this.#ofAll, ...(this.#ofOne.get(id) ?? [])]) handler(message)
  }

  /** Tells all that they may have missed messages. */
  deliverNothing(): void {
    for (const handlers of [this.#ofAll, ...this.#ofOne.values()])
      for (const handler of [...handlers]) handler(null)
  }
}
