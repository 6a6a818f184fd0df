import { createListeners } from './listeners.ts'

/** Whether the platform answers: what fails to reach it says so, and one line of the page finds out when it is back. */
let away = false
const { listen, notify } = createListeners()

export const listenAway = listen
export const isAway = (): boolean => away

export function setAway(now: boolean): void {
  if (now === away) return
  away = now
  notify()
}

/** Waits so long, or until the platform answers again. */
export function waitForAnswer(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(due)
      leave()
      resolve()
    }
    const due = setTimeout(done, ms)
    const leave = listen(() => {
      if (!away) done()
    })
  })
}
