import { Link } from '@tanstack/react-router'

const ownKeys = ['subscription_required', 'no_account', 'insufficient_credits']

interface Props {
  readonly project_id: string
  readonly code: string | null
}

/** Where a fire that was not paid for is settled: its budgets, or a provider with a key of the project's own. */
export function PaymentLink({ project_id, code }: Props) {
  if (code === null) return null
  const to = '/projects/$project_id/models'
  if (code === 'budget_exceeded')
    return (
      <Link to={to} params={{ project_id }} search={{ tab: 'budgets' }}>
        See the budgets
      </Link>
    )
  if (!ownKeys.includes(code)) return null
  return (
    <Link to={to} params={{ project_id }} search={{ tab: 'providers' }}>
      Add a key of your own
    </Link>
  )
}
