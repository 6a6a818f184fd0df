/** Rejects with `refusal()` when the work takes longer; the work itself goes on unobserved. */
export async function within<T>(ms: number, work: Promise<T>, refusal: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
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

/** Whether the work was done, well or badly, within the time and before there was a hurry. */
export async function settles(ms: number, work: Promise<unknown>, hurry?: AbortSignal): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  let giveUp = () => {}
  const late = new Promise<false>((resolve) => {
    giveUp = () => resolve(false)
    timer = setTimeout(giveUp, ms)
    hurry?.addEventListener('abort', giveUp)
    if (hurry?.aborted) giveUp()
  })
  const done = work.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
    hurry?.removeEventListener('abort', giveUp)
  }
}
