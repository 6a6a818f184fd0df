import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Failure } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { signInRulesRoute } from './route.tsx'

/** The rules that the account has for sign-ins. */
export function SignInRulesPage() {
  const { account_id } = signInRulesRoute.useParams()
  const { accounts } = useClient()
  const queries = useQueryClient()
  const queryKey = ['account', account_id, 'sign-in-rules']
  const rules = useQuery({ queryKey, queryFn: () => accounts.signInRules(account_id) })
  const set = useMutation({
    mutationFn: (mfa_required: boolean) => accounts.setSignInRules(account_id, { mfa_required }),
    onSuccess: ({ mfa_required }) =>
      toast(mfa_required ? 'A second factor is asked for from now on.' : 'No second factor is asked for.'),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  return (
    <Page title="Sign-in" narrow>
      <AccountTabs account_id={account_id} />
      <Loaded query={rules}>
        {({ mfa_required }) => (
          <div className="grid max-w-lg gap-2">
            <label className="check">
              <input
                type="checkbox"
                checked={set.isPending ? set.variables : mfa_required}
                disabled={set.isPending}
                onChange={({ target }) => set.mutate(target.checked)}
              />
              Every sign-in needs a second factor
            </label>
            <p className="hint">
              A sign-in without one is refused from its next request on, in this account. Yours has to be on
              first, in your{' '}
              <Link to="/account/$part" params={{ part: 'profile' }}>
                profile
              </Link>
              . Where people sign in is set under{' '}
              <Link to="/accounts/$account_id/sso" params={{ account_id }}>
                single sign-on
              </Link>
              .
            </p>
          </div>
        )}
      </Loaded>
      <Failure error={set.error} />
    </Page>
  )
}
