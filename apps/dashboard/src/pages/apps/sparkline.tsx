import { lazy, Suspense } from 'react'

// The chart library comes with the first line that is drawn.
const SparkPlot = lazy(async () => ({ default: (await import('./spark-plot.tsx')).SparkPlot }))

/** A small chart of values in their order. */
export function Sparkline({ label, values }: { readonly label: string; readonly values: readonly number[] }) {
  return (
    <span role="img" aria-label={`${label}: at most ${Math.max(0, ...values)} in one part`} className="spark">
      <Suspense fallback={null}>
        <SparkPlot values={values} />
      </Suspense>
    </span>
  )
}
