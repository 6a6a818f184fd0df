/** Waits for the work, but no longer than until `hurry` is aborted; the work goes on unobserved then. */
export async function orHurried(work: Promise<unknown>, hurry: AbortSignal): Promise<void> {
  let stopWaiting = () => {}
  const hurried = new Promise<void>((resolve) => {
    stopWaiting = resolve
    if (hurry.aborted) resolve()
    else hurry.addEventListener('abort', stopWaiting, { once: true })
  })
  try {
    await Promise.race([work, hurried])
  } finally {
    hurry.removeEventListener('abort', stopWaiting)
    work.catch(() => undefined)
  }
}
