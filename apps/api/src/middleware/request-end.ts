/**
 * The reason that a request ends before its answer: the client left, or its time is up. Most verbs never look at a
 * signal, which costs more than the rest of this together, so that it is made when one does.
 */
export class RequestEnd {
  #controller: AbortController | undefined
  #reason: unknown

  /** Undefined as long as the request goes on. */
  get reason(): unknown {
    return this.#reason
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** The first reason counts. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    this.#controller?.abort(reason)
  }
}
