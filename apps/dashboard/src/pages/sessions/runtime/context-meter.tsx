import { shareOf, toneOf, type ContextUse } from './context-use.ts'

const compact = new Intl.NumberFormat(undefined, { notation: 'compact' })

/** The part of the agent's context that is used; nothing where the agent does not give it. */
export function ContextMeter({ context }: { readonly context: ContextUse | null }) {
  if (context === null) return null
  const share = shareOf(context)
  const words = `${compact.format(context.used)} of ${compact.format(context.size)} tokens`
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap justify-between gap-x-2 text-13">
        Context {share}% <span className="faint">{words}</span>
      </p>
      <div
        className="meter"
        role="meter"
        aria-label="Context of the agent"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={`${share}%, ${words}`}
        data-tone={toneOf(share)}
      >
        <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none">
          <rect className="spent" width={share} height="1" />
        </svg>
      </div>
    </div>
  )
}
