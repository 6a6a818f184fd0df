/** Waits for the work no longer than `ms`, then rejects with `refusal()`. */
export async function within<T>(ms: number, work: Promise<T>, refusal: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(refusal()), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}

/** True when the work ended, well or badly, within `ms` and before `signal` was aborted. */
export async function settled(ms: number, work: Promise<unknown>, signal?: AbortSignal): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let giveUp = () => {}
  const late = new Promise<false>((resolve) => {
    giveUp = () => resolve(false)
    timer = setTimeout(giveUp, ms)
    signal?.addEventListener('abort', giveUp)
    if (signal?.aborted) giveUp()
  })
  const ended = work.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([ended, late])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}
