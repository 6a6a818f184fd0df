import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../parts/loaded.tsx'
import { dollars } from '../../money/money.ts'
import { useClient } from '../../sign-in/signed-in.tsx'

const models = {
  off: 'No model gateway',
  own_keys: 'Providers with keys of your own',
  managed: 'The platform’s providers, and your own',
} as const

/** The plan of an account, what it pays with, and what to do where that is not enough. For its admins. */
export function PlanAndCredit({ account_id }: { readonly account_id: string }) {
  const { accounts } = useClient()
  const billing = useQuery({
    queryKey: ['billing', account_id],
    queryFn: () => accounts.billing.get(account_id),
  })
  return (
    <section className="grid max-w-md gap-3" aria-labelledby="plan-and-credit">
      <h2 id="plan-and-credit">Plan and credit</h2>
      <Loaded query={billing}>
        {({ entitlements, gateway, billing: pays, billing_state, balance, held }) => (
          <>
            <dl className="facts">
              <dt>Includes</dt>
              <dd>{entitlements.length === 0 ? 'Nothing beyond the basics' : entitlements.join(', ')}</dd>
              <dt>Models</dt>
              <dd>{models[gateway]}</dd>
              {pays === 'credit' && (
                <>
                  <dt>Credit</dt>
                  <dd>
                    {balance === null ? 'None yet' : dollars(balance)}
                    {held !== null && held > 0 && `, of which running calls hold ${dollars(held)}`}
                  </dd>
                  <dt>Payment</dt>
                  <dd>{billing_state}</dd>
                </>
              )}
            </dl>
            <p className="text-n11">
              The operator of the platform changes the plan and adds credit. Calls with a provider key of your
              own, set below Models of a project, need neither.
            </p>
          </>
        )}
      </Loaded>
    </section>
  )
}
