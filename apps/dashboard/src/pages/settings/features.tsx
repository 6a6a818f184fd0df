import type { Feature } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useRefusal } from '../../frame/use-can.ts'
import { Failure } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useSwitches } from '../../parts/use-switches.ts'
import { useClient } from '../../sign-in/signed-in.tsx'

/** Features that the project may use beside the usual. */
export function Features({ project_id }: { readonly project_id: string }) {
  const { features } = useClient().projects
  const queryKey = ['features', project_id]
  const list = useQuery({ queryKey, queryFn: () => features.list(project_id) })
  const refusal = useRefusal('project.customize.write')
  const { flip, error } = useSwitches<readonly Feature[], string>({
    key: queryKey,
    write: (feature, enabled) => features.set(project_id, { [feature]: enabled }),
    apply: (all, feature, enabled) => all.map((one) => (one.feature === feature ? { ...one, enabled } : one)),
  })
  return (
    <section className="grid gap-2">
      <h2>Features</h2>
      {refusal !== null && <p className="hint">{refusal}</p>}
      <Loaded query={list}>
        {(found) => (
          <ul className="grid gap-1">
            {found.map(({ feature, summary, enabled }) => (
              <li key={feature}>
                <label className="check">
                  <input
                    type="checkbox"
                    checked={enabled}
                    disabled={refusal !== null}
                    onChange={({ target }) => flip(feature, target.checked)}
                  />
                  {feature} <span className="faint">{summary}</span>
                </label>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Failure error={error} />
    </section>
  )
}
