import type { Harness } from '@svc/sdk'
import { State } from '../../../parts/state.tsx'
import { licenceState } from './harness-rows.ts'

interface Props {
  readonly harness: Harness
  readonly onRead: (harness: Harness) => void
}

/** The licences of a harness; one that has to be accepted is read here. */
export function LicenceCell({ harness, onRead }: Props) {
  const state = licenceState(harness)
  const names = [...new Set(harness.licences.map(({ spdx }) => spdx))].join(', ')
  if (state === 'free') return <>{names}</>
  return (
    <span className="grid justify-items-start gap-1">
      {names}
      <State of={state} word={state === 'required' ? 'not accepted' : 'accepted'} />
      <button type="button" className="button small" onClick={() => onRead(harness)}>
        Read the licence
      </button>
    </span>
  )
}
