import type { DirectoryGroup } from '@svc/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Copy } from '../../../parts/copy.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Page } from '../../../parts/page.tsx'
import { RecordTable } from '../../../records/record-table.tsx'
import { TokenList } from '../../../tokens/token-list.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { AccountTabs } from '../account-tabs.tsx'
import { scimRoute } from '../route.tsx'
import { GroupDialog } from './group-dialog.tsx'

/** The company's directory: its address, its tokens, and what its groups give. */
export function ScimPage() {
  const { account_id } = scimRoute.useParams()
  const { directory } = useClient().accounts
  const tokens = useQuery({
    queryKey: ['account', account_id, 'scim'],
    queryFn: () => directory.tokens(account_id),
  })
  return (
    <Page title="SCIM" narrow>
      <AccountTabs account_id={account_id} />
      <p className="hint">
        A directory that is told this address and a token keeps people and groups here as they are there.
      </p>
      <Loaded query={tokens}>
        {({ scim_url }) => (
          <p className="flex flex-wrap items-center gap-2 text-13">
            <span>Address</span>
            <code className="min-w-0 break-all">{scim_url}</code>
            <Copy text={scim_url} />
          </p>
        )}
      </Loaded>
      <TokenList
        title="Directory tokens"
        hint="Each reaches the directory's address and nothing else."
        queryKey={['account', account_id, 'scim', 'tokens']}
        tokens={{
          list: async () => (await directory.tokens(account_id)).tokens,
          create: (input) => directory.createToken(account_id, input),
          revoke: (token_id) => directory.revokeToken(account_id, token_id),
        }}
      />
      <Groups account_id={account_id} />
    </Page>
  )
}

function Groups({ account_id }: { readonly account_id: string }) {
  const client = useClient()
  const queries = useQueryClient()
  const [editing, setEditing] = useState<DirectoryGroup | null>(null)
  const queryKey = ['account', account_id, 'groups']
  const groups = useQuery({ queryKey, queryFn: () => client.accounts.directory.groups(account_id) })
  return (
    <section className="grid gap-2">
      <h2>Groups</h2>
      <Loaded query={groups}>
        {(found) => (
          <RecordTable
            caption="Groups"
            empty="The directory has sent no group yet"
            rows={found}
            keyOf={({ group_id }) => group_id}
            nameOf={({ display_name }) => display_name}
            columns={[
              { name: 'People', cell: ({ members }) => members },
              { name: 'In the account', cell: ({ account_role }) => account_role },
              { name: 'Projects', cell: ({ projects }) => projects.length },
            ]}
            actions={(group) => (
              <button
                type="button"
                className="button small"
                aria-label={`Roles of ${group.display_name}`}
                onClick={() => setEditing(group)}
              >
                Roles
              </button>
            )}
          />
        )}
      </Loaded>
      {editing !== null && (
        <GroupDialog
          account_id={account_id}
          group={editing}
          onClose={() => setEditing(null)}
          onSaved={() => queries.invalidateQueries({ queryKey })}
        />
      )}
    </section>
  )
}
