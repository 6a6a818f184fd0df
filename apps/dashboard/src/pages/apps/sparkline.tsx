const [width, height] = [160, 24]

/** A small chart of values in their order. */
export function Sparkline({ label, values }: { readonly label: string; readonly values: readonly number[] }) {
  const max = Math.max(1, ...values)
  const step = width / Math.max(1, values.length - 1)
  const points = values.map(
    (value, at) => `${(at * step).toFixed(1)},${(height - (value / max) * height).toFixed(1)}`,
  )
  return (
    <svg
      role="img"
      aria-label={`${label}: at most ${max} in one part`}
      width={width}
      height={height}
      className="inline"
    >
      <polyline points={points.join(' ')} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  )
}
