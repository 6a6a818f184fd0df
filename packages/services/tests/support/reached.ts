/** In a program that a test kills: stands at the step for ever, and says so, when it is the one to stand at. */
export const reachedOf = (stop_at: string) => async (step: string) => {
  if (step !== stop_at) return
  console.info(step)
  await new Promise(() => setInterval(() => undefined, 1_000))
}
