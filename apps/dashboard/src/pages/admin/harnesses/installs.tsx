import { State } from '../../../parts/state.tsx'
import { type HarnessRow, megabytes, reasonOf } from './harness-rows.ts'

const words: Readonly<Record<string, string>> = { wanted: 'waits for a worker' }

/** The installs of a version, one for each store: state, progress, and the reason of a failure. */
export function Installs({ row }: { readonly row: HarnessRow }) {
  const { harness, installs } = row
  if (installs.length === 0)
    return <span className="faint">{harness.package === null ? 'comes with the sandbox' : 'none'}</span>
  return (
    <ul className="grid gap-2">
      {installs.map(({ target, state, bytes_done, bytes, error }, index) => (
        <li key={`${target} ${index}`} className="grid gap-0.5">
          <span className="flex flex-wrap items-center gap-x-2">
            <State of={state} word={words[state] ?? state} />
            {state === 'installing' && (
              <span className="faint">
                {megabytes(bytes_done)} of {megabytes(bytes ?? harness.bytes)}
              </span>
            )}
            <code className="faint">{target}</code>
          </span>
          {error !== null && <Reason text={error} />}
        </li>
      ))}
    </ul>
  )
}

/** The reason of a failure; the output of npm is folded. */
function Reason({ text }: { readonly text: string }) {
  const { reason, output } = reasonOf(text)
  if (output === '') return <span className="tone-bad">{reason}</span>
  return (
    <details>
      <summary className="tone-bad">{reason}</summary>
      <pre className="block">{output}</pre>
    </details>
  )
}
