import { useQuery } from '@tanstack/react-query'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { RecordTable } from '../../records/record-table.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { DeleteSecret } from './delete-secret.tsx'
import type { SecretListProps } from './project-secrets.tsx'

/** The reader's own secrets in the project, which no other person and no session of others is given. */
export function PersonalSecrets({ project_id, onSet }: SecretListProps) {
  const { personal } = useClient().projects.secrets
  const list = useQuery({
    queryKey: ['personal-secrets', project_id],
    queryFn: () => personal.list(project_id),
  })
  return (
    <>
      <p className="hint">
        They go to sessions that you start, before those of the project with the same name. Such a session
        stays private: only you see into it.
      </p>
      <Loaded query={list}>
        {({ items }) => (
          <RecordTable
            caption="Personal secrets"
            empty="You have no secret of your own here"
            rows={items}
            keyOf={({ name }) => name}
            nameOf={({ name }) => name}
            columns={[{ name: 'Changed', cell: ({ updated_at }) => <Moment at={updated_at} /> }]}
            actions={({ name }) => (
              <>
                <GuardedButton
                  needs="project.session.start"
                  className="button small"
                  aria-label={`Replace ${name}`}
                  onClick={() => onSet(name)}
                >
                  Replace
                </GuardedButton>
                <DeleteSecret project_id={project_id} name={name} personal />
              </>
            )}
          />
        )}
      </Loaded>
    </>
  )
}
