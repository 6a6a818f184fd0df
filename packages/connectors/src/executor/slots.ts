interface Asked {
  readonly project_id: string
  readonly session_id: string | null
}

export const slotLimits = { session: 8, project: 32 } as const

/** Turns of calls: a few of each session at once, and of each project. The others wait, in the order in which they came. */
export class Slots {
  readonly #running = new Map<string, number>()
  readonly #waiting: { readonly asked: Asked; readonly start: () => void }[] = []

  /** `work` learns whether it had to wait. */
  async within<T>(asked: Asked, work: (waited: boolean) => Promise<T>): Promise<T> {
    const waits = !this.#hasRoom(asked)
    if (waits) await new Promise<void>((start) => this.#waiting.push({ asked, start }))
    else this.#take(asked, 1)
    try {
      return await work(waits)
    } finally {
      this.#take(asked, -1)
      this.#startNext()
    }
  }

  /** The first that has room now begins; those behind it that have room too are not held up by it. */
  #startNext(): void {
    const at = this.#waiting.findIndex(({ asked }) => this.#hasRoom(asked))
    const [next] = at === -1 ? [] : this.#waiting.splice(at, 1)
    if (next === undefined) return
    this.#take(next.asked, 1)
    next.start()
  }

  #hasRoom({ project_id, session_id }: Asked): boolean {
    const has = (key: string | null, limit: number) => key === null || (this.#running.get(key) ?? 0) < limit
    return has(project_id, slotLimits.project) && has(session_id, slotLimits.session)
  }

  #take({ project_id, session_id }: Asked, by: 1 | -1): void {
    for (const key of [project_id, session_id]) {
      if (key === null) continue
      const next = (this.#running.get(key) ?? 0) + by
      if (next === 0) this.#running.delete(key)
      else this.#running.set(key, next)
    }
  }
}
