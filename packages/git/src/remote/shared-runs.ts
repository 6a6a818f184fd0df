export type SharedWork = (signal: AbortSignal) => Promise<void>

interface SharedRun {
  work: SharedWork
  waiting: number
  readonly abandoned: AbortController
  readonly result: PromiseWithResolvers
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/**
 * Many callers, few runs. A caller joins only a run that starts after it asked, so what it sees is never older than its
 * request: one run at a time, and all callers that come meanwhile share the next. The signal given to the work aborts
 * once all of its callers have left.
 */
export class SharedRuns {
  #current: SharedRun | null = null
  #next: SharedRun | null = null

  join(work: SharedWork, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#next?.abandoned.signal.aborted) this.#next = null
    const run = (this.#next ??= createRun(work))
    run.work = work
    const waiting = waitFor(run, signal)
    if (this.#current === null) this.#advance()
    return waiting
  }

  #advance(): void {
    const run = this.#next
    this.#next = null
    this.#current = run
    if (run === null) return
    const ended = run.abandoned.signal.aborted ? Promise.resolve() : run.work(run.abandoned.signal)
    ended.then(run.result.resolve, run.result.reject).then(
      () => this.#advance(),
      () => this.#advance(),
    )
  }
}

function createRun(work: SharedWork): SharedRun {
  const result = withResolvers()
  // Callers that left do not hear of a failure; it is theirs no more.
  result.promise.catch(() => {})
  return { work, waiting: 0, abandoned: new AbortController(), result }
}

function waitFor(run: SharedRun, signal: AbortSignal | undefined): Promise<void> {
  run.waiting += 1
  if (!signal) return run.result.promise
  return new Promise((resolve, reject) => {
    const leave = () => {
      run.waiting -= 1
      if (run.waiting === 0) run.abandoned.abort(signal.reason)
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    run.result.promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

function withResolvers(): PromiseWithResolvers {
  let resolve = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
