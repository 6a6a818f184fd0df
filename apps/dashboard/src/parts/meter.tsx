interface Props {
  readonly label: string
  readonly value: number
  readonly max: number
  /** A second part behind the first, set aside and not yet used. */
  readonly held?: number
  /** The value in words, for who does not see the bar. */
  readonly words: string
}

/** A part of a whole as a bar; its colour warns from 80 of 100 on. */
export function Meter({ label, value, max, held = 0, words }: Props) {
  const share = (part: number) => (max === 0 ? 100 : Math.min(100, Math.round((part / max) * 1_000) / 10))
  const used = share(value)
  return (
    <div
      className="meter"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={words}
      data-tone={value >= max ? 'bad' : used >= 80 ? 'warn' : 'ok'}
    >
      <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none">
        <rect className="spent" width={used} height="1" />
        <rect className="held" x={used} width={Math.min(100 - used, share(held))} height="1" />
      </svg>
    </div>
  )
}
