import { useNavigate } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MoneyPlace } from '../../../money/place.ts'
import { Budgets } from '../../../money/budgets/budgets.tsx'
import { groupChoices } from '../../../money/spend/groups.ts'
import { Spend } from '../../../money/spend/spend.tsx'
import { Page } from '../../../parts/page.tsx'
import { Tabs } from '../../../parts/tabs.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { AccountTabs } from '../account-tabs.tsx'
import { accountSpendGroups, accountSpendRoute } from '../route.tsx'
import { Ledger } from './ledger.tsx'

const tabs = [
  { key: 'spend', label: 'Spend' },
  { key: 'budgets', label: 'Budgets' },
  { key: 'ledger', label: 'Ledger' },
] as const
const groups = groupChoices(accountSpendGroups)

/** The money of an account: what its projects spend, what bounds that, and what its credit was taken for. */
export function AccountSpendPage() {
  const { account_id } = accountSpendRoute.useParams()
  const { tab = 'spend', by = 'project', days = '31' } = accountSpendRoute.useSearch()
  const navigate = useNavigate({ from: accountSpendRoute.fullPath })
  const place = useAccountPlace(account_id)
  return (
    <Page title="Spend">
      <AccountTabs account_id={account_id} />
      <Tabs
        label="Spend"
        tabs={tabs}
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next === 'spend' ? undefined : next } })}
      >
        {tab === 'spend' ? (
          <Spend
            place={place}
            groups={groups}
            by={by}
            days={days}
            onChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
            without="Calls of models by the sessions of all projects of the account are counted here."
          />
        ) : tab === 'budgets' ? (
          <Budgets place={place} />
        ) : (
          <Ledger place={place} />
        )}
      </Tabs>
    </Page>
  )
}

/** The account as a place of money, with the names of those of its projects that the person reaches. */
function useAccountPlace(account_id: string): Extract<MoneyPlace, { kind: 'account' }> {
  const { projects } = useClient()
  const { data } = useQuery({ queryKey: ['projects'], queryFn: () => projects.list() })
  return useMemo(() => {
    const own = data?.filter((one) => one.account_id === account_id) ?? []
    return {
      kind: 'account',
      account_id,
      projects: new Map(own.map(({ project_id, name }) => [project_id, name])),
    }
  }, [account_id, data])
}
