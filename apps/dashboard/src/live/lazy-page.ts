import { lazyRouteComponent } from '@tanstack/react-router'
import { isAway, setAway, waitForAnswer } from './away.ts'

const lookMs = 30_000

/** A page whose code is read when it is first opened. */
export function lazyPage<T extends Readonly<Record<string, unknown>>, K extends keyof T>(
  read: () => Promise<T>,
  name: K,
) {
  return lazyRouteComponent(() => onceBack(read), name)
}

/**
 * Reads code again once the platform is back. Left to itself the router would load the whole document anew, and a person
 * whose platform is away would be left with their browser's page of that.
 */
async function onceBack<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    // It answers, and has the file no more: another release, which a new document brings.
    if (await answers()) throw error
    setAway(true)
    while (isAway()) await waitForAnswer(lookMs)
    return onceBack(read)
  }
}

const answers = () =>
  fetch('/v1/health').then(
    ({ ok }) => ok,
    () => false,
  )
