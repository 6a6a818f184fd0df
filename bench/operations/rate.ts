import { round } from '../measure.ts'

/** The times that work ends in a second, with so many at it all the time. */
export async function rateOf(
  seconds: number,
  at_once: number,
  work: (index: number) => Promise<unknown>,
): Promise<number> {
  const [began, until] = [performance.now(), performance.now() + seconds * 1_000]
  let [next, done] = [0, 0]
  const worker = async () => {
    while (performance.now() < until) {
      await work((next += 1))
      done += 1
    }
  }
  await Promise.all(Array.from({ length: at_once }, worker))
  return round((done * 1_000) / (performance.now() - began))
}
