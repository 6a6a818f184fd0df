import { useQuery } from '@tanstack/react-query'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { RecordTable } from '../../records/record-table.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { DeleteSecret } from './delete-secret.tsx'
import { secretRows } from './secret-rows.ts'

export interface SecretListProps {
  readonly project_id: string
  /** Asks for a value of this name. */
  readonly onSet: (name: string) => void
}

/** The secrets that every session of the project may be granted, what is required and missing first. */
export function ProjectSecrets({ project_id, onSet }: SecretListProps) {
  const { secrets } = useClient().projects
  const list = useQuery({ queryKey: ['secrets', project_id], queryFn: () => secrets.list(project_id) })
  return (
    <>
      <p className="hint">
        Sessions get them as variables of their environment, as far as their agent is granted them.
      </p>
      <Loaded query={list}>
        {(found) => (
          <>
            {found.missing.length > 0 && (
              <p className="notice warn">
                svc.yaml requires {found.missing.join(', ')}: sessions go without until a value is set.
              </p>
            )}
            <RecordTable
              caption="Secrets"
              empty="No secret yet"
              rows={secretRows(found)}
              keyOf={({ name }) => name}
              nameOf={({ name }) => name}
              noteOf={({ need }) => need}
              columns={[
                {
                  name: 'State',
                  cell: ({ need, secret }) =>
                    secret !== null ? (
                      <State of="set" />
                    ) : need === 'required' ? (
                      <State of="missing" />
                    ) : (
                      <span className="faint">not set</span>
                    ),
                },
                { name: 'Changed', cell: ({ secret }) => <Moment at={secret?.updated_at ?? null} /> },
              ]}
              actions={({ name, secret }) => (
                <>
                  <GuardedButton
                    needs="project.secret.write"
                    className="button small"
                    aria-label={secret === null ? `Set ${name}` : `Replace ${name}`}
                    onClick={() => onSet(name)}
                  >
                    {secret === null ? 'Set' : 'Replace'}
                  </GuardedButton>
                  {secret !== null && <DeleteSecret project_id={project_id} name={name} personal={false} />}
                </>
              )}
            />
          </>
        )}
      </Loaded>
    </>
  )
}
