import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { colorOf } from '../../design/color-of.ts'
import { useTheme } from '../../design/theme.ts'
import { dollars } from '../money.ts'
import { useDarkSystem } from '../../design/use-media.ts'
import type { Stacks } from './stacks.ts'

const height = 220
const colors = [1, 2, 3, 4, 5, 6].map((n) => `--color-chart-${n}`)

const halfDay = 43_200

/** The cost of each day as a pile of names. The table below it says the same in words. */
export function SpendChart({ stacks }: { readonly stacks: Stacks }) {
  const place = useRef<HTMLDivElement>(null)
  // A canvas keeps the colours that it was drawn with.
  const theme = `${useTheme()} ${useDarkSystem()}`
  useEffect(() => {
    const element = place.current
    if (element === null) return
    // Each name stands on those before it; the highest is drawn first.
    let below = stacks.days.map(() => 0)
    const piles = stacks.series.map(
      ({ dollars: own }) => (below = own.map((value, at) => value + (below[at] ?? 0))),
    )
    const order = stacks.series.map((_, at) => at).toReversed()
    const bars = uPlot.paths.bars?.({ size: [0.7, 48] })
    const text = colorOf(element, '--color-n11')
    const rule = colorOf(element, '--color-n6')
    const axis = { stroke: text, grid: { stroke: rule, width: 1 }, ticks: { show: false } }
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height,
        // Days are those of UTC, as spend is counted.
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: true, range: (_self, min, max) => [min - halfDay, max + halfDay] },
          y: { range: (_self, _min, max) => [0, max > 0 ? max * 1.05 : 1] },
        },
        axes: [
          { ...axis, grid: { show: false } },
          { ...axis, size: 64, values: (_self, values) => values.map((value) => dollars(value * 1e6)) },
        ],
        series: [
          {},
          ...order.map((at) => {
            const fill = colorOf(element, colors[at] ?? '--color-n8')
            return { fill, stroke: fill, width: 0, ...(bars ? { paths: bars } : {}), points: { show: false } }
          }),
        ],
      },
      [[...stacks.days], ...order.map((at) => piles[at] ?? [])],
      element,
    )
    const watcher = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      chart.destroy()
    }
  }, [stacks, theme])
  return (
    <figure className="grid gap-2">
      <div ref={place} aria-hidden className="chart" />
      <figcaption className="flex flex-wrap gap-3">
        {stacks.series.map(({ name }, at) => (
          <span key={name} className="flex items-center gap-1 text-12">
            <svg aria-hidden className="swatch" viewBox="0 0 1 1">
              <rect width="1" height="1" fill={`var(${colors[at] ?? '--color-n8'})`} />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
