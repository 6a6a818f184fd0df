import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { colorOf } from '../../design/color-of.ts'
import { useTheme } from '../../design/theme.ts'
import { useDarkSystem } from '../../design/use-media.ts'

const [width, height] = [160, 24]

/** A line of values in their order, without axes. */
export function SparkPlot({ values }: { readonly values: readonly number[] }) {
  const place = useRef<HTMLSpanElement>(null)
  // A canvas keeps the colours that it was drawn with.
  const theme = `${useTheme()} ${useDarkSystem()}`
  const kept = values.join(' ')
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const counts = kept.split(' ').map(Number)
    const max = Math.max(1, ...counts)
    const chart = new uPlot(
      {
        width,
        height,
        padding: [2, 2, 2, 2],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false }, y: { range: [0, max] } },
        axes: [{ show: false }, { show: false }],
        series: [
          {},
          { stroke: colorOf(element, '--color-chart-1'), width: 1.5, points: { show: counts.length === 1 } },
        ],
      },
      [counts.map((_, at) => at), counts],
      element,
    )
    return () => chart.destroy()
  }, [kept, theme])
  return <span ref={place} aria-hidden className="spark" />
}
