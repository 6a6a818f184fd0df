import type { World } from './world.ts'

/** The value of a series with these labels; null while nothing was counted in it. */
export async function metricValue(
  { metrics }: Pick<World, 'metrics'>,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<number | null> {
  const line = (await metrics.render())
    .split('\n')
    .find(
      (one) =>
        one.startsWith(`${name}{`) &&
        Object.entries(labels).every(([label, is]) => one.includes(`${label}="${is}"`)),
    )
  return line === undefined ? null : Number(line.split(' ').at(-1))
}
