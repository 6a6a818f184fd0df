/** Waits for the work, but no longer than until `signal` is aborted. */
export async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  await raced<unknown, void>(work, signal, (resolve) => resolve())
}

/** The result of the work; rejects with the signal's reason as soon as that is aborted. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal === undefined
    ? work
    : raced<T, never>(work, signal, (_resolve, reject) => reject(signal.reason))
}

async function raced<T, Left>(
  work: Promise<T>,
  signal: AbortSignal,
  leave: (resolve: (left: Left) => void, reject: (reason: unknown) => void) => void,
): Promise<T | Left> {
  let stop = () => {}
  const left = new Promise<Left>((resolve, reject) => {
    stop = () => leave(resolve, reject)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, left])
  } finally {
    signal.removeEventListener('abort', stop)
    work.catch(() => undefined)
  }
}
